// SPDX-License-Identifier: MIT
#include "analyzer/facts/read_order.h"

#include <algorithm>
#include <map>
#include <vector>

namespace flowgauge::facts {
namespace {

/// Rank correlations from which two orders are one, and below which they have nothing to do with each other.
constexpr double sameFrom = 0.9, otherBelow = 0.5;
/// Two random orders of fewer places are alike too often; more tell no more.
constexpr std::size_t fewestPlaces = 16, mostPlaces = 4096;

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
    positions.reserve(both.size());
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

}  // namespace

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

}  // namespace flowgauge::facts
