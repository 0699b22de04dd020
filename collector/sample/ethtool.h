// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/ethtool_names.h"
#include "collector/sample/ethtool_socket.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// The kept statistics of one interface and where they stand among its driver's.
class EthtoolPort {
public:
    /// Picks those that are known from the driver's names. How many there are.
    std::size_t learn(std::string_view interface, const EthtoolStrings& names);
    /// False when these are not the values of the names that were learnt: queues have come or gone.
    [[nodiscard]] bool put(const Pass& pass, Ticks at, std::span<const std::uint64_t> values);
    [[nodiscard]] std::string_view interface() const { return m_name.view(); }
    [[nodiscard]] std::size_t kept() const { return m_count; }

    Nanos dueNs = 0;

private:
    struct Pick {
        std::uint32_t at = 0;
        EthtoolMatch match;
        Source* source = nullptr;
    };
    [[nodiscard]] bool has(const EthtoolMatch& match) const;
    [[nodiscard]] Source* sourceOf(const Pass& pass, int priority) const;

    static constexpr std::size_t mostPicks = 96;
    Path m_name;
    std::array<Pick, mostPicks> m_picks{};
    std::size_t m_count = 0;
    std::size_t m_names = 0;
};

/// What drivers of Ethernet ports tell beside the interface's own counters: the physical port's bytes, RDMA, pauses, drops, errors. About
/// once a second a port, and less where it takes its driver long: a twentieth of the time at most goes by in it.
class EthtoolSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    [[nodiscard]] bool learn(const Pass& pass, EthtoolPort& port, std::string_view interface);
    void read(const Pass& pass, EthtoolPort& port);

    static constexpr std::size_t mostPorts = 16;
    EthtoolSocket m_socket;
    std::array<EthtoolPort, mostPorts> m_ports{};
    std::size_t m_count = 0;
};

}  // namespace flowgauge::sample
