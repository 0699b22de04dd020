// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/kernel_socket.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace flowgauge::sample {

/// What the kernel counts for one network interface: all numbers of the same instant. As /proc/net/dev shows them.
struct LinkCounters {
    int index = 0;  ///< ifindex; 0: the kernel did not answer for this one
    std::uint64_t rxBytes = 0, rxPackets = 0, rxErrors = 0, rxDropped = 0, txBytes = 0, txPackets = 0;
};

/// A question to the kernel about network interfaces (rtnetlink RTM_GETSTATS, since 4.7), of the network namespace of the
/// thread that opened it. It needs no privilege and two system calls for up to 16 interfaces, however many others there are.
class RouteSocket {
public:
    static constexpr std::size_t mostLinks = 16;

    constexpr RouteSocket() = default;
    /// 0, or errno.
    int open() { return m_socket.open(); }
    void close() { m_socket.close(); }
    [[nodiscard]] bool isOpen() const { return m_socket.isOpen(); }
    /// The number of the interface with that name in this namespace; 0 when there is none.
    [[nodiscard]] int indexOf(std::string_view name) const;
    /// Fills the counters of the interfaces whose index is set; index becomes 0 where the kernel knows no such interface.
    /// 0, or errno when nothing was learnt. At most mostLinks.
    [[nodiscard]] int ask(std::span<LinkCounters> links);

private:
    /// Each round of questions has numbers of its own, so that a late answer is not taken for one of this round.
    [[nodiscard]] std::uint32_t firstNumber() const { return m_round * static_cast<std::uint32_t>(mostLinks); }
    [[nodiscard]] int send(std::span<const LinkCounters> links);
    [[nodiscard]] int receive(std::span<LinkCounters> links);
    KernelSocket m_socket;
    std::uint32_t m_round = 0;
};

}  // namespace flowgauge::sample
