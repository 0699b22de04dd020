// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// A line of /proc/net/dev.
struct NetDevice {
    std::string_view name;
    std::uint64_t rxBytes = 0, rxPackets = 0, rxErrors = 0, rxDropped = 0, txBytes = 0, txPackets = 0;
};

/// The interfaces of a /proc/net/dev text. Headings, cut lines and lines of another shape are skipped.
class NetDeviceLines {
public:
    explicit constexpr NetDeviceLines(std::string_view text) : m_lines(text) {}
    bool next(NetDevice& into);

private:
    Lines m_lines;
};

/// True for names that stand for no hardware (lo, docker0, veth..., br-...): where no interface has a device of its own,
/// as in a container, all others are sampled.
[[nodiscard]] bool isVirtualName(std::string_view name);

/// Network interfaces: those with hardware behind them, so that no byte counts twice (bridges, VLANs, bonds, veth pairs).
/// RDMA traffic is not in these counters on mlx5; InfiniBand ports tell it.
class NicSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close() { m_file.close(); }

private:
    [[nodiscard]] bool isWorthIt(const SysRoot& root, std::string_view name) const;
    RereadFile m_file;
    bool m_anyHardware = false;
};

}  // namespace flowgauge::sample
