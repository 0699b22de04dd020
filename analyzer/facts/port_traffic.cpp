// SPDX-License-Identifier: MIT
#include "analyzer/facts/port_traffic.h"

#include "analyzer/facts/gpu_links.h"
#include "analyzer/facts/host_names.h"
#include "analyzer/facts/physical_ports.h"

#include <algorithm>
#include <array>
#include <set>

namespace flowgauge::facts {
namespace {

/// Of a TCP packet over IPv4 as an interface counts it: Ethernet 14, IP 20, TCP with time stamps 32.
constexpr double interfaceHeader = 66;
/// Of an RDMA packet inside a subnet, as port_*_data counts it: LRH 8, BTH 12, ICRC 4; the first of a message has 16 more.
constexpr double rdmaHeader = 24;

/// A port below this part of the busiest one moves acknowledgements and requests.
constexpr double leastPart = 0.1;

constexpr Nanos peakOver = 100'000'000;

/// What a counter of a port says.
struct PortCounterRow {
    Counter counter;
    PortKind kind;
    bool received, packets;
};
constexpr std::array portCounters{
    PortCounterRow{Counter::NicRxBytes, PortKind::Interface, true, false},
    PortCounterRow{Counter::NicTxBytes, PortKind::Interface, false, false},
    PortCounterRow{Counter::NicRxPackets, PortKind::Interface, true, true},
    PortCounterRow{Counter::NicTxPackets, PortKind::Interface, false, true},
    PortCounterRow{Counter::IbRxBytes, PortKind::Rdma, true, false},
    PortCounterRow{Counter::IbTxBytes, PortKind::Rdma, false, false},
    PortCounterRow{Counter::IbRxFlits, PortKind::Rdma, true, false},
    PortCounterRow{Counter::IbTxFlits, PortKind::Rdma, false, false},
    PortCounterRow{Counter::IbRxHwBytes, PortKind::Rdma, true, false},
    PortCounterRow{Counter::IbTxHwBytes, PortKind::Rdma, false, false},
    PortCounterRow{Counter::IbRxPackets, PortKind::Rdma, true, true},
    PortCounterRow{Counter::IbTxPackets, PortKind::Rdma, false, true},
};

const PortCounterRow& portRowOf(Counter counter)
{
    return *std::find_if(portCounters.begin(), portCounters.end(), [counter](const PortCounterRow& row) { return row.counter == counter; });
}

std::map<store::Id, std::string> namesOfHosts(store::RunStore& store)
{
    std::map<store::Id, std::string> names;
    const std::vector<store::HostRow> hosts = store.hosts();
    for (const store::HostRow& host : hosts) names[host.id] = nameOfHost(hosts, host.id);
    return names;
}

template <typename Series>
double grownWithin(const Series& all, Interval when)
{
    double sum = 0;
    for (const CounterSeries& one : all) sum += std::max(0.0, one.growth(when));
    return sum;
}

double grownInAll(const std::vector<CounterSeries>& all)
{
    double sum = 0;
    for (const CounterSeries& one : all) sum += one.grown();
    return sum;
}

/// Each one's part of the sum, those far below the largest left out; even parts where there is nothing to go by.
std::vector<double> partsOf(std::vector<double> amounts)
{
    const double largest = amounts.empty() ? 0 : *std::max_element(amounts.begin(), amounts.end());
    double sum = 0;
    for (double& amount : amounts) sum += amount = largest <= 0 ? 1 : amount < leastPart * largest ? 0 : amount;
    for (double& amount : amounts) amount /= sum;
    return amounts;
}

}  // namespace

bool isOverInfiniband(std::string_view interface) { return interface.starts_with("ib"); }

PortTraffic::PortTraffic(store::RunStore& store, const RunFacts& run) : m_demands(wireDemandOf(run)), m_connections(store)
{
    readPorts(store);
    readStorage(store);
    std::map<std::string, std::vector<std::size_t>> portsOfHost;
    for (std::size_t i = 0; i < m_ports.size(); ++i) portsOfHost[m_ports[i].host].push_back(i);
    for (const auto& [host, ports] : portsOfHost) divide(ports);
}

void PortTraffic::readPorts(store::RunStore& store)
{
    const auto names = namesOfHosts(store);
    std::set<store::Id> training;
    for (const store::ProcessRow& process : store.processes()) training.insert(process.host);
    std::vector<Counter> wanted;
    wanted.reserve(std::size(portCounters));
    for (const PortCounterRow& row : portCounters) wanted.push_back(row.counter);
    std::vector<PlacedSeries> all = readCounters(store, wanted);
    std::set<store::Id> withRdma;
    for (const PlacedSeries& placed : all)
        if (portRowOf(*placed.place.counter).kind == PortKind::Rdma && placed.series.grown() > 0) withRdma.insert(placed.place.host);

    std::map<std::pair<std::string, std::string>, std::pair<Port, Lane>> found;
    for (PlacedSeries& placed : all) {
        const PortCounterRow& row = portRowOf(*placed.place.counter);
        const std::pair key(names.at(placed.place.host), store.nameText(placed.place.source));
        const bool twice = row.kind == PortKind::Interface && isOverInfiniband(key.second) && withRdma.contains(placed.place.host);
        if (twice || placed.series.grown() <= 0 || key.second == "lo") continue;
        auto& [port, lane] = found[key];
        port = {key.first, key.second, row.kind, training.contains(placed.place.host),
                Measured<double>::missing("the port does not tell its rate")};
        Way& way = row.received ? lane.received : lane.sent;
        (row.packets ? way.packets : way.moved).push_back(placed.series.betweenChanges());
    }
    constexpr double bytesPerMegabit = 1e6 / 8;
    for (const PlacedSeries& placed : readCounters(store, {Counter::IbDataRate, Counter::NicDataRate})) {
        const auto port = found.find({names.at(placed.place.host), store.nameText(placed.place.source)});
        if (port != found.end() && placed.series.last() > 0) port->second.first.rate = placed.series.last() * bytesPerMegabit;
    }
    for (auto& [key, one] : found) {
        m_ports.push_back(std::move(one.first));
        m_lanes.push_back(std::move(one.second));
    }
}

/// Over TCP a mount's replies are counted with their headers; over RDMA data is written past the replies, and only the payload is
/// counted. The larger one of both is what came over the wire.
void PortTraffic::readStorage(store::RunStore& store)
{
    const auto names = namesOfHosts(store);
    std::map<std::pair<store::Id, store::Id>, CounterSeries> mounts;
    for (PlacedSeries& placed : readCounters(store, {Counter::NfsFetchedBytes, Counter::NfsReadReceived, Counter::FsFetchedBytes})) {
        CounterSeries& mount = mounts[{placed.place.host, placed.place.source}];
        if (mount.empty() || mount.grown() < placed.series.grown()) mount = std::move(placed.series);
    }
    for (auto& [place, series] : mounts) m_storage[names.at(place.first)].received.push_back(std::move(series));
    for (PlacedSeries& placed : readCounters(store, {Counter::NfsWrittenBytes, Counter::FsSentBytes}))
        m_storage[names.at(placed.place.host)].sent.push_back(std::move(placed.series));
}

void PortTraffic::divide(const std::vector<std::size_t>& portsOfHost)
{
    std::vector<double> bothWays, inOnly, outOnly, between, elsewhere;
    for (const std::size_t i : portsOfHost) {
        const double received = grownInAll(m_lanes[i].received.moved);
        const double sent = grownInAll(m_lanes[i].sent.moved);
        bothWays.push_back(std::min(received, sent));
        inOnly.push_back(std::max(0.0, received - sent));
        outOnly.push_back(std::max(0.0, sent - received));
        const double isInterface = m_ports[i].kind == PortKind::Interface ? 1 : 0;
        between.push_back(isInterface * bothWays.back());
        elsewhere.push_back(isInterface * (received + sent));
    }
    const std::vector<double> gradients = partsOf(bothWays), fetched = partsOf(inOnly), written = partsOf(outOnly);
    const std::vector<double> toHosts = partsOf(between), toOthers = partsOf(elsewhere);
    for (std::size_t k = 0; k < portsOfHost.size(); ++k) {
        Lane& lane = m_lanes[portsOfHost[k]];
        lane.received.gradients = lane.sent.gradients = gradients[k];
        lane.received.storage = fetched[k];
        lane.sent.storage = written[k];
        const bool isInterface = m_ports[portsOfHost[k]].kind == PortKind::Interface;
        lane.received.between = lane.sent.between = isInterface ? toHosts[k] : 0;
        lane.received.elsewhere = lane.sent.elsewhere = isInterface ? toOthers[k] : 0;
    }
}

/// Between hosts of the run the collectives are part of what connections moved, where they go by TCP at all: the larger of both is what
/// is known of a port. What goes elsewhere is nobody else's: storage clients that count are the kernel's. The loopback reaches no port.
double PortTraffic::connectionsOf(const std::string& host, const Way& way, Interval when, bool received) const
{
    const auto moved = [&](PeerKind kind) {
        const TcpBytes bytes = m_connections.within(host, kind, when);
        return received ? bytes.received : bytes.sent;
    };
    double gradients = 0;
    if (const auto demand = m_demands.find(host); demand != m_demands.end())
        gradients = (received ? demand->second.received : demand->second.sent).growth(when) * way.gradients;
    return std::max(0.0, moved(PeerKind::OtherHost) * way.between - gradients) + moved(PeerKind::Elsewhere) * way.elsewhere;
}

Carried PortTraffic::carried(const Port& port, const Way& way, Interval when, bool received) const
{
    Carried bytes;
    bytes.moved = grownWithin(way.moved, when);
    bytes.headers = grownWithin(way.packets, when) * (port.kind == PortKind::Rdma ? rdmaHeader : interfaceHeader);
    const auto demand = m_demands.find(port.host);
    if (demand != m_demands.end())
        bytes.gradients = (received ? demand->second.received : demand->second.sent).growth(when) * way.gradients;
    const auto storage = m_storage.find(port.host);
    if (storage != m_storage.end())
        bytes.storage = grownWithin(received ? storage->second.received : storage->second.sent, when) * way.storage;
    bytes.connections = connectionsOf(port.host, way, when, received);
    return bytes;
}

PortBytes PortTraffic::within(std::size_t port, Interval when) const
{
    const Lane& lane = m_lanes[port];
    return {carried(m_ports[port], lane.received, when, true), carried(m_ports[port], lane.sent, when, false)};
}

/// Means over the shortest stretches between samples that a tenth of a second fits in, which may overlap.
std::vector<CounterSeries::Rate> PortTraffic::ratesOf(const Way& way)
{
    std::vector<CounterSeries::Rate> rates;
    for (const CounterSeries& series : way.moved) {
        const std::vector<CounterSeries::Sample>& samples = series.samples();
        for (std::size_t i = 0, end = 0; i < samples.size(); ++i) {
            while (end < samples.size() && samples[end].at - samples[i].at < peakOver) ++end;
            if (end == samples.size()) break;
            const auto nanos = static_cast<double>(samples[end].at - samples[i].at);
            rates.push_back({{samples[i].at, samples[end].at}, (samples[end].total - samples[i].total) * 1e9 / nanos});
        }
    }
    return rates;
}

double PortTraffic::peakOf(const Way& way)
{
    double peak = 0;
    for (const CounterSeries::Rate& rate : ratesOf(way)) peak = std::max(peak, rate.perSecond);
    return peak;
}

std::vector<CounterSeries::Rate> PortTraffic::busiest() const
{
    const CounterSeries* most = nullptr;
    for (std::size_t i = 0; i < m_ports.size(); ++i)
        for (const Way* way : {&m_lanes[i].received, &m_lanes[i].sent})
            for (const CounterSeries& series : way->moved)
                if (m_ports[i].trains && (most == nullptr || series.grown() > most->grown())) most = &series;
    return most == nullptr ? std::vector<CounterSeries::Rate>{} : most->rates();
}

IntervalSet PortTraffic::from(std::size_t port, double perSecond) const
{
    std::vector<Interval> stretches;
    for (const Way* way : {&m_lanes[port].received, &m_lanes[port].sent})
        for (const CounterSeries::Rate& rate : ratesOf(*way))
            if (rate.perSecond >= perSecond) stretches.push_back(rate.over);
    return IntervalSet::of(std::move(stretches));
}

std::vector<std::string> PortTraffic::hosts() const
{
    std::set<std::string> names;
    for (const Port& port : m_ports)
        if (port.trains) names.insert(port.host);
    return {names.begin(), names.end()};
}

HostWire PortTraffic::wireOf(const std::string& host, Interval when) const
{
    HostWire wire;
    wire.host = host;
    wire.storage = Measured<double>::missing("no mount of NFS or of a parallel file system was sampled");
    for (std::size_t i = 0; i < m_ports.size(); ++i) {
        if (m_ports[i].host != host) continue;
        wire.movedReceived += grownWithin(m_lanes[i].received.moved, when);
        wire.movedSent += grownWithin(m_lanes[i].sent.moved, when);
    }
    if (const auto demand = m_demands.find(host); demand != m_demands.end()) {
        wire.collectives = demand->second.collectives;
        wire.expectedReceived = demand->second.received.growth(when);
        wire.expectedSent = demand->second.sent.growth(when);
    }
    if (const auto storage = m_storage.find(host); storage != m_storage.end()) wire.storage = grownWithin(storage->second.received, when);
    return wire;
}

NetworkFacts networkFactsOf(store::RunStore& store, const RunFacts& run)
{
    const PortTraffic traffic(store, run);
    const Interval all{run.extent.begin, run.extent.end + 1};
    NetworkFacts network;
    for (std::size_t i = 0; i < traffic.ports().size(); ++i) {
        PortFacts port{traffic.ports()[i], traffic.within(i, all), {}, traffic.peakReceived(i), traffic.peakSent(i)};
        if (port.port.rate.known()) port.full = traffic.from(i, PortFacts::fullFrom * port.port.rate.value()).within(all);
        for (const Epoch& epoch : run.epochs) port.epochs.push_back(traffic.within(i, epoch.when));
        network.ports.push_back(std::move(port));
    }
    for (const std::string& host : traffic.hosts()) network.hosts.push_back(traffic.wireOf(host, all));
    network.gpuLinks = gpuLinksOf(store);
    network.physicalPorts = physicalPortsOf(store);
    network.queuePairs = queuePairsOf(store);
    network.connections = traffic.connections().peers();
    for (std::size_t i = 0; i < network.connections.size(); ++i)
        for (const Epoch& epoch : run.epochs) network.connections[i].epochs.push_back(traffic.connections().within(i, epoch.when));
    return network;
}

}  // namespace flowgauge::facts
