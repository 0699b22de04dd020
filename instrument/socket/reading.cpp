// SPDX-License-Identifier: MIT
#include "instrument/socket/reading.h"

#include "collector/record/raw.h"

#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <algorithm>
#include <array>
#include <cstring>

#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif

namespace flowgauge::sockets {
namespace {

/// Where the numbers lie in struct tcp_info: part of the kernel's interface, so older headers will do.
constexpr std::size_t atState = 0, atRtt = 68, atAcked = 120, atReceived = 128, atNotSent = 144, atBusy = 168, atReceiverLimited = 176,
                      atBufferLimited = 184, atSent = 200, atResent = 208;
constexpr int tcpInfoOption = 11;
/// Enough for any kernel; more than a kernel has is left as it is, and not looked at.
constexpr std::size_t mostBytes = 512;

/// TCP_SYN_SENT and so on (include/net/tcp_states.h).
constexpr unsigned char stateSynSent = 2, stateSynReceived = 3, stateFinWait1 = 4, stateTimeWait = 6, stateClosed = 7, stateCloseWait = 8,
                        stateLastAck = 9, stateListening = 10, stateClosing = 11;

template <typename Number>
std::int64_t numberAt(const unsigned char* bytes, std::size_t length, std::size_t at)
{
    Number number;
    if (at + sizeof number > length) return -1;
    std::memcpy(&number, bytes + at, sizeof number);
    return static_cast<std::int64_t>(number);
}

/// The acknowledgement of a connection's own SYN counts as a byte on the side that connected; the other side is short by one here.
std::int64_t acknowledged(std::int64_t bytes) { return bytes > 0 ? bytes - 1 : bytes; }

/// The far side's FIN counts as a byte received. One that was reset has had none, and is short by one here: the state does not tell.
bool hasSeenEnd(unsigned char state)
{
    return state == stateTimeWait || state == stateClosed || state == stateCloseWait || state == stateLastAck || state == stateClosing;
}

/// Our own FIN counts as a byte that waits as long as others wait before it; what waits on a socket that is closed goes nowhere.
std::int64_t waitingBytes(unsigned char state, std::int64_t told)
{
    if (told <= 0 || state == stateClosed) return 0;
    return state == stateFinWait1 || state == stateLastAck || state == stateClosing ? told - 1 : told;
}

}  // namespace

Asked parseTcpInfo(const unsigned char* bytes, std::size_t length, std::int64_t outstanding, Reading& into)
{
    if (length < atReceived + sizeof(std::uint64_t)) return Asked::NoTcp;
    const unsigned char state = bytes[atState];
    if (state == stateListening) return Asked::Listening;
    if (state == stateSynSent || state == stateSynReceived) return Asked::NotYet;
    into.received = numberAt<std::uint64_t>(bytes, length, atReceived);
    if (hasSeenEnd(state) && into.received > 0) --into.received;
    into.resent = numberAt<std::uint64_t>(bytes, length, atResent);
    const std::int64_t transmitted = numberAt<std::uint64_t>(bytes, length, atSent);
    const std::int64_t acked = numberAt<std::uint64_t>(bytes, length, atAcked);
    into.notSent = waitingBytes(state, numberAt<std::uint32_t>(bytes, length, atNotSent));
    into.sent = into.resent >= 0 ? transmitted - into.resent : acknowledged(acked);
    if (into.resent >= 0 && outstanding >= 0)
        into.sent = std::min(into.sent, acked + std::max<std::int64_t>(0, outstanding - into.notSent));
    const std::int64_t rtt = numberAt<std::uint32_t>(bytes, length, atRtt);
    into.rttUs = rtt > 0 ? rtt : -1;
    into.busyUs = numberAt<std::uint64_t>(bytes, length, atBusy);
    into.receiverLimitedUs = numberAt<std::uint64_t>(bytes, length, atReceiverLimited);
    into.bufferLimitedUs = numberAt<std::uint64_t>(bytes, length, atBufferLimited);
    // A socket that was never connected looks like one that was reset, but for its having moved nothing.
    const bool nothing = into.sent == 0 && into.received == 0;
    return state == stateClosed && nothing ? Asked::NotYet : Asked::Connection;
}

Asked askTcp(int fd, Reading& into)
{
    alignas(8) std::array<unsigned char, mostBytes> bytes;
    socklen_t length = sizeof bytes;
    if (raw::call(SYS_getsockopt, fd, IPPROTO_TCP, tcpInfoOption, bytes.data(), &length) != 0) return Asked::NoTcp;
    int outstanding = -1;
    if (raw::call(SYS_ioctl, fd, TIOCOUTQ, &outstanding) != 0) outstanding = -1;
    return parseTcpInfo(bytes.data(), length, outstanding, into);
}

std::uint64_t cookieOf(int fd)
{
    std::uint64_t cookie = 0;
    socklen_t length = sizeof cookie;
    return raw::call(SYS_getsockopt, fd, SOL_SOCKET, SO_COOKIE, &cookie, &length) == 0 ? cookie : 0;
}

bool isTcp(int fd)
{
    int protocol = 0;
    socklen_t length = sizeof protocol;
    return raw::call(SYS_getsockopt, fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) == 0 && protocol == IPPROTO_TCP;
}

}  // namespace flowgauge::sockets
