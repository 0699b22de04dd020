// SPDX-License-Identifier: MIT
#include "analyzer/facts/physical_ports.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"

#include <array>
#include <map>

namespace flowgauge::facts {
namespace {

struct PhysicalRow {
    Counter counter;
    double PhysicalPort::*bytes;
};
constexpr std::array physicalRows{
    PhysicalRow{Counter::NicPortRxBytes, &PhysicalPort::received},     PhysicalRow{Counter::NicPortTxBytes, &PhysicalPort::sent},
    PhysicalRow{Counter::NicRxBytes, &PhysicalPort::shownReceived},    PhysicalRow{Counter::NicTxBytes, &PhysicalPort::shownSent},
    PhysicalRow{Counter::NicRdmaRxBytes, &PhysicalPort::rdmaReceived}, PhysicalRow{Counter::NicRdmaTxBytes, &PhysicalPort::rdmaSent},
};

}  // namespace

/// The driver is asked once a second, the interface more often: each number is what was added between the driver's first answer and its
/// last.
std::vector<PhysicalPort> physicalPortsOf(store::RunStore& store)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    std::map<std::pair<std::string, std::string>, std::map<Counter, CounterSeries>> all;
    std::vector<Counter> counters;
    counters.reserve(physicalRows.size());
    for (const PhysicalRow& row : physicalRows) counters.push_back(row.counter);
    for (PlacedSeries& placed : readCounters(store, counters))
        all[{nameOfHost(hosts, placed.place.host), store.nameText(placed.place.source)}][*placed.place.counter] = std::move(placed.series);

    std::vector<PhysicalPort> ports;
    for (auto& [place, series] : all) {
        const auto told = series.find(Counter::NicPortRxBytes);
        if (told == series.end() || told->second.empty()) continue;
        const Interval when{told->second.samples().front().at, told->second.samples().back().at};
        PhysicalPort& port = ports.emplace_back(PhysicalPort{place.first, place.second});
        for (const PhysicalRow& row : physicalRows)
            if (const auto one = series.find(row.counter); one != series.end()) port.*row.bytes = one->second.growth(when);
    }
    return ports;
}

}  // namespace flowgauge::facts
