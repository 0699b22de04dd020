// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"
#include "collector/sample/port_files.h"
#include "collector/sample/rdma_socket.h"

namespace flowgauge::sample {

/// Counters that an administrator has had bound to queue pairs (`rdma statistic qp set`), by device, port and process: which process's
/// packets were lost, sent again or found no buffer. Part of what the port counts: never to be added to that. Only read, about once a
/// second, and less where it takes the driver long: a twentieth of the time at most goes by in it. Nothing is ever bound by us.
class QueuePairSampler {
public:
    QueuePairSampler() : QueuePairSampler(rdmaKernel) {}
    explicit QueuePairSampler(const RdmaKernel& kernel) : m_socket(kernel) {}
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    struct Device {
        Path name;
        std::uint32_t index = 0, ports = 0;
        BindsCounters binds = BindsCounters::NotKnown;
        bool bound = false;                    ///< at one of its ports
        bool degraded = false;                 ///< the ledger knows of trouble with it
        bool hidden = false;                   ///< and of counters whose process cannot be told
        std::uint32_t look = 0, complete = 0;  ///< number of the last look at it, and of the last that saw all; 0: none
        Ticks lookedAt = 0;                    ///< begin of that one
    };
    /// A place with a counter, and when it was last seen there.
    struct Seen {
        const Source* source = nullptr;
        std::uint32_t look = 0;
    };

    [[nodiscard]] int findDevices(const Pass& pass);
    [[nodiscard]] int findBindings(const Pass& pass);
    void tellBinding(const Pass& pass, const Device& device, std::uint32_t port, CounterBinding binding) const;
    [[nodiscard]] Availability summary() const;
    void look(const Pass& pass, Device& device);
    void put(const Pass& pass, Device& device, Ticks at, const BoundCounter& counter);
    [[nodiscard]] Source* placeOf(const Pass& pass, Device& device, const BoundCounter& counter) const;
    [[nodiscard]] bool isNew(const Device& device, const Source& source);
    void tellTrouble(const Pass& pass, Device& device, std::string_view what) const;

    static constexpr std::size_t mostDevices = 32, mostPorts = 64, mostSeen = 512;
    RdmaSocket m_socket;
    std::array<Device, mostDevices> m_devices{};
    std::size_t m_count = 0;
    std::array<CounterBinding, mostPorts> m_bindings{};  ///< of all ports, device after device
    std::array<Seen, mostSeen> m_seen{};
    std::size_t m_seenCount = 0;
    bool m_open = false;
    Nanos m_dueNs = 0, m_bindingsDueNs = 0;
};

}  // namespace flowgauge::sample
