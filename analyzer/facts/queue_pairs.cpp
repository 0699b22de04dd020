// SPDX-License-Identifier: MIT
#include "analyzer/facts/queue_pairs.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"
#include "analyzer/facts/process_groups.h"
#include "analyzer/facts/run_part.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

namespace flowgauge::facts {
namespace {

struct Part {
    Counter part, port;
};
/// Of bytes a port has one of several rows, as its driver counts.
constexpr std::array parts{
    Part{Counter::QpRxBytes, Counter::IbRxBytes},
    Part{Counter::QpRxBytes, Counter::IbRxHwBytes},
    Part{Counter::QpTxBytes, Counter::IbTxBytes},
    Part{Counter::QpTxBytes, Counter::IbTxHwBytes},
    Part{Counter::QpRxPackets, Counter::IbRxPackets},
    Part{Counter::QpTxPackets, Counter::IbTxPackets},
    Part{Counter::QpOutOfSequence, Counter::IbOutOfSequence},
    Part{Counter::QpSequenceNaks, Counter::IbSequenceNaks},
    Part{Counter::QpAckTimeouts, Counter::IbAckTimeouts},
    Part{Counter::QpRnrRetries, Counter::IbRnrRetries},
    Part{Counter::QpOutOfBuffer, Counter::IbOutOfBuffer},
    Part{Counter::QpDuplicates, Counter::IbDuplicates},
    Part{Counter::QpAdaptiveRetrans, Counter::IbAdaptiveRetrans},
    Part{Counter::QpEcnMarked, Counter::IbEcnMarked},
    Part{Counter::QpCnpSent, Counter::IbCnpSent},
    Part{Counter::QpCnpHandled, Counter::IbCnpHandled},
};

/// "mlx5_0/1/4711/3": device, port, process, number of the counter.
struct Place {
    std::string port;
    std::int64_t process = 0;  ///< 0: of none that was told
};
Place placeOf(const std::string& name)
{
    Place place;
    const std::size_t id = name.rfind('/'), process = id == std::string::npos || id == 0 ? std::string::npos : name.rfind('/', id - 1);
    if (process == std::string::npos) return place;
    place.port = name.substr(0, process);
    std::from_chars(name.data() + process + 1, name.data() + id, place.process);
    return place;
}

/// From host and process to the rank.
std::map<std::pair<store::Id, std::int64_t>, int> ranksOf(store::RunStore& store)
{
    std::map<std::pair<store::Id, std::int64_t>, int> ranks;
    for (const ProcessGroup& group : groupProcesses(store.processes(), activeProcesses(store.tracks())))
        for (const store::ProcessRow& process : group.processes) ranks.emplace(std::pair{process.host, process.pid}, group.rank);
    return ranks;
}

using HostPort = std::pair<std::string, std::string>;  // host and port

std::vector<Counter> countersOf(Counter Part::*member)
{
    std::vector<Counter> all;
    for (const Part& row : parts)
        if (std::find(all.begin(), all.end(), row.*member) == all.end()) all.push_back(row.*member);
    return all;
}

void addPorts(store::RunStore& store, std::map<HostPort, std::map<Counter, QueuePairCount>>& all)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    for (const PlacedSeries& placed : readCounters(store, countersOf(&Part::port))) {
        const auto port = all.find({nameOfHost(hosts, placed.place.host), store.nameText(placed.place.source)});
        const std::optional<Counter> part = partOf(*placed.place.counter);
        if (port == all.end() || !part) continue;
        const auto count = port->second.find(*part);
        if (count != port->second.end()) count->second.port = count->second.port.valueOr(0) + placed.series.grown();
    }
}

}  // namespace

double QueuePairCount::ofJob() const
{
    return std::accumulate(job.begin(), job.end(), 0.0, [](double sum, const auto& one) { return sum + one.second; });
}

const QueuePairCount* QueuePairPort::find(Counter counter) const
{
    const auto found = std::find_if(counts.begin(), counts.end(), [counter](const QueuePairCount& one) { return one.counter == counter; });
    return found == counts.end() ? nullptr : &*found;
}

std::optional<Counter> partOf(Counter ofPort)
{
    const auto row = std::find_if(parts.begin(), parts.end(), [ofPort](const Part& one) { return one.port == ofPort; });
    return row == parts.end() ? std::nullopt : std::optional(row->part);
}

std::vector<QueuePairPort> queuePairsOf(store::RunStore& store)
{
    const std::vector<PlacedSeries> bound = readCounters(store, countersOf(&Part::part));
    if (bound.empty()) return {};
    const std::vector<store::HostRow> hosts = store.hosts();
    const auto ranks = ranksOf(store);
    std::map<HostPort, std::map<Counter, QueuePairCount>> all;
    for (const PlacedSeries& placed : bound) {
        const Place place = placeOf(store.nameText(placed.place.source));
        QueuePairCount& count = all[{nameOfHost(hosts, placed.place.host), place.port}][*placed.place.counter];
        count.counter = *placed.place.counter;
        const auto rank = ranks.find({placed.place.host, place.process});
        (rank == ranks.end() ? count.others : count.job[rank->second]) += placed.series.grown();
    }
    addPorts(store, all);
    std::vector<QueuePairPort> ports;
    for (auto& [place, counts] : all) {
        QueuePairPort& port = ports.emplace_back(QueuePairPort{place.first, place.second, {}});
        for (auto& [counter, count] : counts) port.counts.push_back(std::move(count));
    }
    return ports;
}

}  // namespace flowgauge::facts
