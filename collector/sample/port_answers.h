// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"
#include "collector/sample/port_files.h"
#include "collector/sample/rdma_socket.h"

namespace flowgauge::sample {

/// Which counters of a port have a source already, by Counter.
using SettledCounters = std::array<bool, counterCount>;

/// Ports whose hw_counters /sys does not show: a container in a network namespace of its own sees a device without them, while the kernel
/// answers by netlink all the same (RDMA_NLDEV_CMD_STAT_GET, one question a port). The counters are those that the files would have told.
class PortAnswers {
public:
    explicit PortAnswers(const RdmaKernel& kernel) : m_socket(kernel) {}
    /// Takes the port in when the kernel tells a counter of it that is known and not settled. source: where they are put; not accepted
    /// here.
    [[nodiscard]] bool add(const Pass& pass, std::string_view device, std::string_view port, DataUnit unit, Source& source,
                           const SettledCounters& settled);
    /// About ten times a second where bytes or packets are among them, else once; a twentieth of the time at most goes by in it.
    void sample(const Pass& pass);
    void close();
    [[nodiscard]] bool any() const { return m_count > 0; }

private:
    struct Pick {
        const PortFile* row = nullptr;
        Counter counter{};
    };
    struct Port {
        std::uint32_t device = 0, port = 0;
        Source* source = nullptr;
        std::array<Pick, 32> picks{};
        std::size_t count = 0;
        Nanos leastNs = 0, dueNs = 0;
    };
    [[nodiscard]] bool findDevice(const Pass& pass, std::string_view name, std::uint32_t& index);
    static void pick(std::span<const char> values, DataUnit unit, const SettledCounters& settled, Port& port);
    [[nodiscard]] int read(const Pass& pass, const Port& port);

    static constexpr std::size_t mostPorts = 32;
    RdmaSocket m_socket;
    bool m_open = false;
    std::array<Port, mostPorts> m_ports{};
    std::size_t m_count = 0;
};

}  // namespace flowgauge::sample
