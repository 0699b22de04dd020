// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/network_facts.h"
#include "analyzer/facts/wire_demand.h"

#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// What the ports of all hosts moved, and what for. Reads counters once, then answers for any time.
///
/// Gradients go out as they come in, storage comes in only. So a host's gradients lie on the ports that move both ways, in proportion to
/// what these do (rails and the slaves of a bond move alike); its storage lies on the ports that receive more than they send. A port
/// with less than a tenth of what the busiest one has moves acknowledgements and requests. No part is cut to fit what was moved.
class PortTraffic {
public:
    /// run: its ranks and clocks; without ranks no collective is expected.
    PortTraffic(store::RunStore& store, const RunFacts& run);

    /// Those that moved anything, in order of host and name. The loopback is none; neither is an interface over a port that moved data.
    [[nodiscard]] const std::vector<Port>& ports() const { return m_ports; }
    /// port: position in ports().
    [[nodiscard]] PortBytes within(std::size_t port, Interval when) const;
    /// Bytes a second over the busiest tenth of a second, or over a whole sample where sampling is slower.
    [[nodiscard]] double peakReceived(std::size_t port) const { return peakOf(m_lanes[port].received); }
    [[nodiscard]] double peakSent(std::size_t port) const { return peakOf(m_lanes[port].sent); }
    /// Rates between the readings of that way through a port of the job which moved most; none where nothing did.
    [[nodiscard]] std::vector<CounterSeries::Rate> busiest() const;
    /// When it moved as much either way.
    [[nodiscard]] IntervalSet from(std::size_t port, double perSecond) const;
    /// Hosts that train and have such a port, in order of name.
    [[nodiscard]] std::vector<std::string> hosts() const;
    [[nodiscard]] const Connections& connections() const { return m_connections; }
    [[nodiscard]] HostWire wireOf(const std::string& host, Interval when) const;

private:
    using SeriesList = std::vector<CounterSeries>;
    /// One way through a port.
    struct Way {
        SeriesList moved, packets;
        double gradients = 0, storage = 0;  ///< part of its host's, 0..1
        double between = 0, elsewhere = 0;  ///< the same of TCP: among the interfaces, those that move both ways, and all
    };
    struct Lane {
        Way received, sent;
    };
    struct Storage {
        SeriesList received, sent;
    };
    void readPorts(store::RunStore& store);
    void readStorage(store::RunStore& store);
    void divide(const std::vector<std::size_t>& portsOfHost);
    [[nodiscard]] double connectionsOf(const std::string& host, const Way& way, Interval when, bool received) const;
    [[nodiscard]] Carried carried(const Port& port, const Way& way, Interval when, bool received) const;
    [[nodiscard]] static std::vector<CounterSeries::Rate> ratesOf(const Way& way);
    [[nodiscard]] static double peakOf(const Way& way);

    std::map<std::string, WireDemand> m_demands;
    Connections m_connections;
    std::map<std::string, Storage> m_storage;  ///< only of hosts with a mount that was sampled
    std::vector<Port> m_ports;
    std::vector<Lane> m_lanes;  ///< as m_ports
};

/// True for an interface over an InfiniBand port, which counts its bytes once more: the kernel and systemd begin such names with "ib".
[[nodiscard]] bool isOverInfiniband(std::string_view interface);

/// The whole run, each epoch, and the busiest stretch of every port.
[[nodiscard]] NetworkFacts networkFactsOf(store::RunStore& store, const RunFacts& run);

}  // namespace flowgauge::facts
