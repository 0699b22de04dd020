// SPDX-License-Identifier: MIT
#include "analyzer/facts/wire_demand.h"

#include "analyzer/facts/collective_math.h"

#include <algorithm>
#include <set>
#include <vector>

namespace flowgauge::facts {
namespace {

/// An amount that moves evenly over a stretch of time.
struct Movement {
    Interval during;
    double bytes;
};

/// Where the slope of what has been moved changes, and by how much: where one movement begins (+1) or ends (-1).
struct Bend {
    Nanos at;
    double perNano;
    int movement;
};

CounterSeries seriesOf(const std::vector<Movement>& movements)
{
    std::vector<Bend> bends;
    for (const Movement& one : movements) {
        const Nanos length = std::max<Nanos>(one.during.length(), 1);
        const double slope = one.bytes / static_cast<double>(length);
        bends.push_back({one.during.begin, slope, 1});
        bends.push_back({one.during.begin + length, -slope, -1});
    }
    std::sort(bends.begin(), bends.end(), [](const Bend& left, const Bend& right) { return left.at < right.at; });
    CounterSeries series;
    double total = 0;
    double slope = 0;
    int moving = 0;
    Nanos before = bends.empty() ? 0 : bends.front().at;
    for (const Bend& bend : bends) {
        total += std::max(0.0, slope) * static_cast<double>(bend.at - before);
        series.add(bend.at, total);
        moving += bend.movement;
        // What rounding leaves of slopes that cancelled would go on for ever.
        slope = moving == 0 ? 0.0 : slope + bend.perNano;
        before = bend.at;
    }
    return series;
}

struct HostMovements {
    std::vector<Movement> received, sent;
    CollectiveCounts collectives;
};

/// One collective by host.
struct Crossing {
    Kind kind = Kind::None;
    std::uint64_t bytes = 0;
    std::int64_t ranks = 0;
    CommManner manner;
    std::string root;  ///< its host; "": no root, or it is not recorded
    std::map<std::string, Interval> during;
    std::map<std::string, std::int64_t> ranksOf;
    std::map<std::string, CountedWire> counted;  ///< hosts where NCCL's proxies moved it
};

Crossing crossingOf(const RunFacts& run, const Meeting& meeting)
{
    Crossing crossing;
    for (std::size_t i = 0; i < meeting.calls.size(); ++i) {
        const CollectiveCall* call = meeting.calls[i];
        if (call == nullptr) continue;
        const RankFacts& rank = run.ranks[i];
        crossing.kind = call->kind;
        crossing.bytes = std::max(crossing.bytes, call->bytes);
        if (call->manner.algorithm) crossing.manner = call->manner;
        if (const auto wire = rank.wires.find(keyOf(*call)); wire != rank.wires.end()) {
            crossing.counted[rank.host].sent += wire->second.sent;
            crossing.counted[rank.host].received += wire->second.received;
        }
        ++crossing.ranks;
        ++crossing.ranksOf[rank.host];
        const auto own = rank.rankIn.find(call->comm);
        if (call->root >= 0 && own != rank.rankIn.end() && own->second == call->root) crossing.root = rank.host;
        const Nanos begin = std::clamp(meeting.lastArrivalFor(i), call->when.begin, call->when.end);
        widen(crossing.during[rank.host], {begin, call->when.end});
    }
    return crossing;
}

struct HostBytes {
    double received = 0, sent = 0;
};

/// The root's host sends the array once and gets nothing; every other one gets it once, and together they pass on the rest.
HostBytes ofBroadcast(const Crossing& crossing, const std::string& host, double array)
{
    const double others = static_cast<double>(crossing.during.size()) - 1;
    if (host == crossing.root) return {0, array};
    return {array, array * (others - 1) / others};
}

/// The parts of the ranks that are not on the root's host go there, each once.
HostBytes ofGather(const Crossing& crossing, const std::string& host, double array)
{
    const double own = array * static_cast<double>(crossing.ranksOf.at(host)) / static_cast<double>(crossing.ranks);
    return host == crossing.root ? HostBytes{array - own, 0} : HostBytes{0, own};
}

HostBytes turned(HostBytes bytes) { return {bytes.sent, bytes.received}; }

/// Hosts of unequal numbers of ranks are taken as if each rank were a host: a ring's share does not depend on it.
CommShape shapeOf(const Crossing& crossing)
{
    const auto hosts = static_cast<std::int64_t>(crossing.during.size());
    const auto isEven = [&](const auto& host) { return host.second * hosts == crossing.ranks; };
    if (std::all_of(crossing.ranksOf.begin(), crossing.ranksOf.end(), isEven)) return {hosts, crossing.ranks / hosts};
    return {crossing.ranks, 1};
}

HostBytes bytesOf(const Crossing& crossing, const std::string& host)
{
    if (const auto counted = crossing.counted.find(host); counted != crossing.counted.end())
        return {counted->second.received, counted->second.sent};
    const double array = arrayBytes(crossing.kind, static_cast<double>(crossing.bytes), crossing.ranks);
    if (!crossing.root.empty()) {
        if (crossing.kind == Kind::Broadcast) return ofBroadcast(crossing, host, array);
        if (crossing.kind == Kind::Reduce) return turned(ofBroadcast(crossing, host, array));
        if (crossing.kind == Kind::Gather) return ofGather(crossing, host, array);
        if (crossing.kind == Kind::Scatter) return turned(ofGather(crossing, host, array));
    }
    const CommProtocol protocol = crossing.manner.protocol.value_or(CommProtocol::Simple);
    auto wire = wireBytesOf(crossing.kind, array, shapeOf(crossing), crossing.manner.algorithm.value_or(CommAlgorithm::Ring), protocol);
    if (!wire.known()) wire = wireBytesOf(crossing.kind, array, shapeOf(crossing), CommAlgorithm::Ring, protocol);
    return wire.known() ? HostBytes{wire.value().nodeIn, wire.value().nodeOut} : HostBytes{};
}

bool isOnOneHost(const std::vector<RankFacts>& ranks)
{
    return std::all_of(ranks.begin(), ranks.end(), [&](const RankFacts& rank) { return rank.host == ranks.front().host; });
}

/// The time that a written step stands for, and how many steps lie in it.
struct Stretch {
    Interval when;
    std::int64_t steps;
};

/// Of a thinned recording: each written step stands for those up to the next one. The last of an epoch is written too, so that none
/// reaches over an epoch's end. In order of time.
std::vector<Stretch> stretchesOf(const std::vector<Step>& steps, std::int64_t everyStep)
{
    std::vector<Stretch> stretches;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool last = i + 1 == steps.size();
        const std::int64_t count = last ? 1 : std::clamp<std::int64_t>(steps[i + 1].number - steps[i].number, 1, everyStep);
        stretches.push_back({count == 1 ? steps[i].when : Interval{steps[i].when.begin, steps[i + 1].when.begin}, count});
    }
    return stretches;
}

/// What the recording left out, by host: the ranks of a host go through their steps together.
class LeftOut {
public:
    explicit LeftOut(const RunFacts& run) : m_everyStep(run.everyStep())
    {
        if (m_everyStep == 1) return;
        for (const RankFacts& rank : run.ranks)
            if (std::vector<Stretch>& mine = m_stretches[rank.host]; mine.empty()) mine = stretchesOf(rank.steps, m_everyStep);
    }
    /// For what the collective of a written step stands, which moved these bytes in this time.
    [[nodiscard]] Movement withNeighbours(const std::string& host, Interval during, double bytes) const
    {
        if (m_everyStep == 1) return {during, bytes};
        const std::vector<Stretch>& all = m_stretches.at(host);
        const auto after = std::partition_point(all.begin(), all.end(), [&](const Stretch& one) { return one.when.begin <= during.begin; });
        const bool inStep = after != all.begin() && during.begin < std::prev(after)->when.end;
        if (!inStep) return {during, bytes * static_cast<double>(m_everyStep)};
        return {std::prev(after)->when, bytes * static_cast<double>(std::prev(after)->steps)};
    }

private:
    std::int64_t m_everyStep;
    std::map<std::string, std::vector<Stretch>> m_stretches;
};

void count(const Crossing& crossing, const std::string& host, CollectiveCounts& counts)
{
    ++counts.all;
    const bool counted = crossing.counted.contains(host);
    counts.counted += counted ? 1 : 0;
    counts.told += !counted && crossing.manner.algorithm ? 1 : 0;
}

}  // namespace

WireSource sourceOf(const CollectiveCounts& counts)
{
    if (counts.counted == counts.all) return WireSource::Counted;
    if (counts.counted + counts.told == counts.all) return WireSource::Told;
    return counts.counted + counts.told > 0 ? WireSource::Partly : WireSource::FlatRing;
}

std::string_view wordsOf(WireSource source)
{
    switch (source) {
        case WireSource::Counted:
            return "as NCCL's proxies counted";
        case WireSource::Told:
            return "by the formulas of the algorithms that NCCL told";
        case WireSource::Partly:
            return "as NCCL told of some, and as one flat ring over all ranks for those of which nothing tells the algorithm";
        case WireSource::FlatRing:
            break;
    }
    return "as one flat ring over all ranks, as nothing tells the algorithm";
}

double hostsRingLess(const RunFacts& run)
{
    std::set<std::string> hosts;
    for (const RankFacts& rank : run.ranks) hosts.insert(rank.host);
    const auto share = [](std::size_t members) { return static_cast<double>(members - 1) / static_cast<double>(members); };
    return hosts.size() < 2 ? 0 : 1 - share(hosts.size()) / share(run.ranks.size());
}

std::map<std::string, WireDemand> wireDemandOf(const RunFacts& run)
{
    std::map<std::string, HostMovements> movements;
    if (isOnOneHost(run.ranks)) return {};
    const LeftOut leftOut(run);
    for (const Meeting& meeting : meetingsOf(run.ranks, run.clocks)) {
        const Crossing crossing = crossingOf(run, meeting);
        if (crossing.during.size() < 2 || crossing.bytes == 0) continue;
        for (const auto& [host, during] : crossing.during) {
            const HostBytes bytes = bytesOf(crossing, host);
            HostMovements& mine = movements[host];
            mine.received.push_back(leftOut.withNeighbours(host, during, bytes.received));
            mine.sent.push_back(leftOut.withNeighbours(host, during, bytes.sent));
            count(crossing, host, mine.collectives);
        }
    }
    std::map<std::string, WireDemand> demands;
    for (const auto& [host, mine] : movements) demands[host] = {seriesOf(mine.received), seriesOf(mine.sent), mine.collectives};
    return demands;
}

}  // namespace flowgauge::facts
