// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// Which devices of a process reach each other's memory over a link worth grouping for; a device always reaches its own.
class DeviceLinks {
public:
    explicit DeviceLinks(std::size_t devices) : m_devices(devices), m_linked(devices * devices, false) {}
    [[nodiscard]] std::size_t devices() const { return m_devices; }
    void link(std::size_t one, std::size_t other);
    [[nodiscard]] bool linked(std::size_t one, std::size_t other) const { return one == other || m_linked[one * m_devices + other]; }

private:
    std::size_t m_devices;
    std::vector<bool> m_linked;
};

/// Members of a process on its devices, group by group.
struct Grouping {
    std::vector<std::size_t> deviceOf;  ///< by member
    std::size_t groupSize = 1;
};

/// Members are dealt out over the devices in turn, from `firstDevice` on, so that several may share one. Devices that all reach each other
/// form a cluster (a DGX-2: one of 16; a Summit node: two of 3; PCIe alone: each its own); a group lies within a cluster. All groups are of
/// one size, the largest that cuts every cluster's members without a rest.
[[nodiscard]] Grouping groupingOf(const DeviceLinks& links, std::size_t members, std::size_t firstDevice);

/// The same with groups of a size that somebody chose. Throws std::invalid_argument when it does not cut the members, or when members of
/// one group do not reach each other.
[[nodiscard]] Grouping groupingOf(const DeviceLinks& links, std::size_t members, std::size_t firstDevice, std::size_t groupSize);

}  // namespace flowgauge::workloads::allreduce
