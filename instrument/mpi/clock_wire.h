// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/text.h"
#include "collector/record/raw.h"
#include "collector/record/settings.h"
#include "collector/record/time.h"

#include <netinet/in.h>
#include <poll.h>
#include <array>
#include <cstdint>
#include <ctime>

/// What two hosts say to each other when they compare clocks: datagrams of our own, not messages of the job. A communicator of ours would
/// have to be made by all ranks together, and a job may have ranks that are not recorded: they would never come, and the others hang.
namespace flowgauge::mpi::clocks {

inline constexpr std::uint64_t wireMagic = 0x3153'4b43'4f4c'4346;  ///< "FCLOCKS1"

/// One datagram, the same length there and back, so that an answer is never longer than its question.
struct Datagram {
    std::uint64_t cookie;      ///< of the offer: what does not know it is not answered
    std::uint64_t number;      ///< of the question
    Nanos received, answered;  ///< CLOCK_MONOTONIC_RAW of the reference; 0 in a question
};
static_assert(sizeof(Datagram) == 32);

/// The file in the run's directory through which the reference is found.
struct Offer {
    std::uint64_t magic, cookie;
    std::uint32_t addresses;                ///< how many of the next are filled
    std::array<std::uint32_t, 16> address;  ///< IPv4, network byte order
    std::uint16_t port;                     ///< network byte order
    std::array<char, 66> host;              ///< as the run names it, zero-terminated
};

inline buffer::PathText offerPath()
{
    buffer::PathText path;
    path.add(settingOf(Variable::Run)).add("/clocks.offer");
    return path;
}

inline sockaddr_in addressOf(std::uint32_t address, std::uint16_t port)
{
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = address;
    to.sin_port = port;
    return to;
}

/// A socket for datagrams that never blocks; negative: an error number.
inline int openSocket() { return static_cast<int>(raw::call(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

/// How long either side looks for the next datagram without sleeping. Not longer: the two may share a processor.
inline constexpr std::int64_t awakeNs = 100'000;

inline void sleepUntilReadable(int fd, std::int64_t atMostNs)
{
    pollfd waiting{fd, POLLIN, 0};
    timespec left{static_cast<time_t>(atMostNs / 1'000'000'000), static_cast<long>(atMostNs % 1'000'000'000)};
    raw::call(SYS_ppoll, &waiting, 1U, &left, nullptr, 0U);
}

}  // namespace flowgauge::mpi::clocks
