// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace flowgauge::sockets {

/// What the kernel says of one TCP connection (struct tcp_info, linux/tcp.h); -1: this kernel does not tell.
struct Reading {
    std::int64_t sent = -1;      ///< bytes of the stream that were sent, each once
    std::int64_t notSent = 0;    ///< bytes that were written and wait: the kernel sends them after a close as well
    std::int64_t received = -1;  ///< bytes of the stream that came in order
    std::int64_t resent = -1;    ///< bytes that were sent again
    std::int64_t rttUs = -1;     ///< smoothed round trip
    std::int64_t busyUs = -1, receiverLimitedUs = -1, bufferLimitedUs = -1;
};

enum class Asked : std::uint8_t {
    Connection,  ///< the reading holds
    NotYet,      ///< TCP, but not connected (yet)
    Listening,
    NoTcp,  ///< another kind of socket or file, or no descriptor at all
};

/// Takes what the kernel filled in, and no more: the structure grows with kernels (280 bytes in 6.12, 232 in the headers of 6.1).
/// Bytes are there since Linux 4.2, else NoTcp is answered. Before 4.19 there is no count of bytes sent: those acknowledged stand in.
/// outstanding: bytes that were written and are not acknowledged (SIOCOUTQ, which is TIOCOUTQ), -1: not told. What this machine's own queue
/// drops the kernel sends once more without calling it sent again: bytes acknowledged and outstanding are then what the stream has, one
/// more where this side connected, and one where its FIN is acknowledged.
[[nodiscard]] Asked parseTcpInfo(const unsigned char* bytes, std::size_t length, std::int64_t outstanding, Reading& into);

/// Two system calls.
[[nodiscard]] Asked askTcp(int fd, Reading& into);

/// The kernel's own number of the socket, equal for all descriptors and processes that share it (Linux 4.12); 0: not told.
[[nodiscard]] std::uint64_t cookieOf(int fd);

/// True for a socket of TCP.
[[nodiscard]] bool isTcp(int fd);

}  // namespace flowgauge::sockets
