// SPDX-License-Identifier: MIT
#include "analyzer/facts/cache_fit.h"

#include "analyzer/facts/counter_series.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace flowgauge::facts {
namespace {

/// Rank correlations from which two orders are one, and below which they have nothing to do with each other.
constexpr double sameFrom = 0.9, otherBelow = 0.5;
/// Two random orders of fewer places are alike too often; more tell no more.
constexpr std::size_t fewestPlaces = 16, mostPlaces = 4096;
/// Pages that hold the data's borders are shared, and a reading is a moment old.
constexpr double asGoodAsAll = 0.99;

/// Where in a file, in the order of first reads. Keeps those places alone whose hash has enough zeros, so that memory is bounded and
/// two passes keep the same ones.
class PlacesInOrder {
public:
    void take(std::int64_t file, std::int64_t offset)
    {
        const std::uint64_t place = mixed(static_cast<std::uint64_t>(file) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(offset));
        if ((place & m_mask) != 0) return;
        m_order.try_emplace(place, m_order.size());
        if (m_order.size() <= mostPlaces) return;
        m_mask = m_mask * 2 + 1;
        std::erase_if(m_order, [this](const auto& entry) { return (entry.first & m_mask) != 0; });
    }
    [[nodiscard]] const std::map<std::uint64_t, std::size_t>& order() const { return m_order; }

private:
    [[nodiscard]] static std::uint64_t mixed(std::uint64_t value)
    {
        value = (value ^ (value >> 31U)) * 0xBF58476D1CE4E5B9U;
        return value ^ (value >> 29U);
    }
    std::map<std::uint64_t, std::size_t> m_order;
    std::uint64_t m_mask = 0;
};

PlacesInOrder placesIn(store::RunStore& store, const store::TrackRow& track, Interval when)
{
    PlacesInOrder places;
    store.scan({{Kind::FileRead}, {track.id}, when}, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events)
            if (event.arg[2] > 0) places.take(event.arg[0], event.arg[1]);
        return true;
    });
    return places;
}

/// Positions in the order of what both hold, by the order of the first.
std::vector<std::size_t> ranksInSecond(const PlacesInOrder& first, const PlacesInOrder& second)
{
    std::vector<std::pair<std::size_t, std::size_t>> both;
    for (const auto& [place, position] : first.order())
        if (const auto again = second.order().find(place); again != second.order().end()) both.emplace_back(position, again->second);
    std::sort(both.begin(), both.end());
    std::vector<std::size_t> positions;
    for (const auto& [earlier, later] : both) positions.push_back(later);
    std::vector<std::size_t> sorted = positions;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t& position : positions)
        position = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), position) - sorted.begin());
    return positions;
}

/// Spearman's, of a permutation of 0..n-1 with the natural order.
double rankCorrelation(const std::vector<std::size_t>& positions)
{
    double squares = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const double apart = static_cast<double>(positions[i]) - static_cast<double>(i);
        squares += apart * apart;
    }
    const auto n = static_cast<double>(positions.size());
    return 1 - 6 * squares / (n * (n * n - 1));
}

double meanWithin(const CounterSeries& series, Interval when)
{
    constexpr int probes = 64;
    double sum = 0;
    for (int i = 0; i < probes; ++i) sum += series.valueAt(when.begin + when.length() * i / probes);
    return sum / probes;
}

/// With a limit of its own the job has what its cgroup is charged for, else the host's page cache. Programs and what was read before are
/// in it too: the kernel lets go of most of that when data needs the room.
Measured<double> cacheOf(store::RunStore& store, Interval when, CacheFit& fit)
{
    const bool limited = !readCounters(store, {Counter::CgroupLimit}).empty();
    fit.cache = limited ? "the job's cgroup" : "the host";
    const std::vector<PlacedSeries> all = readCounters(store, {limited ? Counter::CgroupFileCache : Counter::PageCache});
    return all.empty() ? Measured<double>::missing("the page cache was not sampled") : meanWithin(all.front().series, when);
}

/// Bytes asked and fetched of the epochs that read again.
struct Again {
    std::vector<const Epoch*> epochs;
    double asked = 0, fetched = 0;
};

/// The second epoch is left out where there are more: in it the cache still holds what was read before the data.
Again readAgain(const std::vector<Epoch>& epochs)
{
    Again again;
    for (std::size_t i = epochs.size() > 2 ? 2 : 1; i < epochs.size(); ++i) {
        const Epoch& epoch = epochs[i];
        if (!epoch.complete || !epoch.asked.known() || !epoch.fetched.known() || epoch.asked.value() <= 0) continue;
        again.epochs.push_back(&epoch);
        again.asked += static_cast<double>(epoch.asked.value());
        again.fetched += static_cast<double>(epoch.fetched.value());
    }
    return again;
}

}  // namespace

double hitShareOf(double cachePart, ReadOrder order)
{
    if (cachePart >= 1) return 1;
    if (order == ReadOrder::Same || cachePart <= 0) return 0;
    return cachePart + (1 - cachePart) * std::log1p(-cachePart);
}

Measured<ReadOrder> readOrderOf(store::RunStore& store, Interval earlier, Interval later)
{
    std::optional<store::TrackRow> busiest;
    for (const store::TrackRow& track : store.tracks())
        if (track.key.lane == Lane::Io && (!busiest || track.events > busiest->events)) busiest = track;
    if (!busiest) return Measured<ReadOrder>::missing("no read was recorded");
    const std::vector<std::size_t> positions = ranksInSecond(placesIn(store, *busiest, earlier), placesIn(store, *busiest, later));
    if (positions.size() < fewestPlaces) return Measured<ReadOrder>::missing("too few places are read in two epochs to tell their order");
    const double alike = rankCorrelation(positions);
    if (alike >= sameFrom) return ReadOrder::Same;
    if (alike < otherBelow) return ReadOrder::Shuffled;
    return Measured<ReadOrder>::missing("an epoch reads in an order that is neither the same nor a new one");
}

Measured<CacheFit> cacheFitOf(store::RunStore& store, const RunFacts& run)
{
    using Missing = Measured<CacheFit>;
    if (run.hosts != 1) return Missing::missing("each of several hosts reads a part of the data that differs by epoch");
    const Again again = readAgain(run.epochs);
    if (again.epochs.empty()) return Missing::missing("no complete epoch after the first tells what it asked for and fetched");
    CacheFit fit;
    fit.firstEpoch = again.epochs.front()->number;
    fit.lastEpoch = again.epochs.back()->number;
    const Interval later{again.epochs.front()->when.begin, again.epochs.back()->when.end};
    const Measured<double> cache = cacheOf(store, later, fit);
    if (!cache.known()) return Missing::missing(cache.reason());
    const double data = again.asked / static_cast<double>(again.epochs.size());
    fit.dataBytes = std::llround(data);
    fit.cacheBytes = std::llround(cache.value());
    fit.observed = 1 - std::min(1.0, again.fetched / again.asked);
    fit.forecast = 1;
    if (cache.value() >= asGoodAsAll * data) return fit;
    if (fit.observed >= asGoodAsAll) return Missing::missing("the data lies in memory that another job or cgroup is charged for");
    const Measured<ReadOrder> order = readOrderOf(store, run.epochs[0].when, run.epochs[1].when);
    if (!order.known()) return Missing::missing(order.reason());
    fit.order = order.value();
    fit.forecast = hitShareOf(cache.value() / data, fit.order);
    return fit;
}

}  // namespace flowgauge::facts
