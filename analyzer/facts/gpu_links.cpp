// SPDX-License-Identifier: MIT
#include "analyzer/facts/gpu_links.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace flowgauge::facts {
namespace {

enum class Says : std::uint8_t { Received, Sent, Rate };
struct LinkCounterRow {
    Counter counter;
    GpuLinkKind kind;
    Says says;
};
constexpr std::array linkCounters{
    LinkCounterRow{Counter::GpuNvlinkRx, GpuLinkKind::Nvlink, Says::Received},
    LinkCounterRow{Counter::GpuNvlinkTx, GpuLinkKind::Nvlink, Says::Sent},
    LinkCounterRow{Counter::GpuNvlinkRate, GpuLinkKind::Nvlink, Says::Rate},
    LinkCounterRow{Counter::GpuPcieRx, GpuLinkKind::Pcie, Says::Received},
    LinkCounterRow{Counter::GpuPcieTx, GpuLinkKind::Pcie, Says::Sent},
    LinkCounterRow{Counter::GpuPcieRate, GpuLinkKind::Pcie, Says::Rate},
};

double mostPerSecond(const CounterSeries& series)
{
    double most = 0;
    for (const CounterSeries::Rate& rate : series.rates()) most = std::max(most, rate.perSecond);
    return most;
}

/// The largest that was negotiated: an idle GPU lowers its PCIe link.
double mostValue(const CounterSeries& series)
{
    double most = 0;
    for (const CounterSeries::Sample& sample : series.samples()) most = std::max(most, sample.value);
    return most;
}

void take(const LinkCounterRow& row, const CounterSeries& series, GpuLink& link)
{
    constexpr double bytesPerMegabit = 1e6 / 8;
    if (row.says == Says::Rate && mostValue(series) > 0) link.rate = mostValue(series) * bytesPerMegabit;
    if (row.says == Says::Rate) return;
    (row.says == Says::Received ? link.received : link.sent) = series.grown();
    (row.says == Says::Received ? link.peakReceived : link.peakSent) = mostPerSecond(series);
}

/// The slowest GPU's link of one kind; 0 without any that told its rate.
double slowestLink(const NetworkFacts& network, GpuLinkKind kind)
{
    double slowest = 0;
    for (const GpuLink& link : network.gpuLinks)
        if (link.kind == kind && link.rate.known()) slowest = slowest > 0 ? std::min(slowest, link.rate.value()) : link.rate.value();
    return slowest;
}

/// All ports of one kind of the host that has least; 0 where none told its rate.
double slowestHost(const NetworkFacts& network, PortKind kind)
{
    std::map<std::string, double> hosts;
    for (const PortFacts& port : network.ports)
        if (port.port.trains && port.port.kind == kind && port.port.rate.known()) hosts[port.port.host] += port.port.rate.value();
    const auto least = std::min_element(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return least == hosts.end() ? 0 : least->second;
}

}  // namespace

std::vector<GpuLink> gpuLinksOf(store::RunStore& store)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    std::vector<Counter> wanted;
    wanted.reserve(linkCounters.size());
    for (const LinkCounterRow& row : linkCounters) wanted.push_back(row.counter);
    std::map<std::tuple<std::string, std::string, GpuLinkKind>, GpuLink> found;
    for (const PlacedSeries& placed : readCounters(store, wanted)) {
        const auto row = std::find_if(linkCounters.begin(), linkCounters.end(),
                                      [&](const LinkCounterRow& one) { return one.counter == *placed.place.counter; });
        const std::string host = nameOfHost(hosts, placed.place.host);
        const std::string gpu = store.nameText(placed.place.source);
        GpuLink& link = found.try_emplace({host, gpu, row->kind}, GpuLink{host, gpu, row->kind}).first->second;
        take(*row, placed.series, link);
    }
    std::vector<GpuLink> links;
    for (auto& [key, link] : found)
        if (link.received + link.sent > 0 || link.rate.known()) links.push_back(std::move(link));
    return links;
}

Measured<double> linkUseOf(const CollectiveFigures& figures, const NetworkFacts& network)
{
    if (!figures.wire.known()) return Measured<double>::missing(figures.wire.reason());
    if (figures.transfer <= 0) return Measured<double>::missing("its transfer took no time");
    const bool inside = figures.hosts == 1;
    double rate = inside ? slowestLink(network, GpuLinkKind::Nvlink) : slowestHost(network, PortKind::Rdma);
    if (rate <= 0) rate = inside ? slowestLink(network, GpuLinkKind::Pcie) : slowestHost(network, PortKind::Interface);
    if (rate <= 0) return Measured<double>::missing(inside ? "no GPU told the rate of its links" : "no port told its rate");
    const WireBytes& wire = figures.wire.value();
    return (inside ? wire.sentPerRank : wire.nodeOut) / (static_cast<double>(figures.transfer) / 1e9) / rate;
}

}  // namespace flowgauge::facts
