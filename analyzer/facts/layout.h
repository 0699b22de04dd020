// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/process_groups.h"
#include "analyzer/facts/rank_facts.h"
#include "collector/store/run_store.h"

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flowgauge::facts {

/// Which track belongs to which rank, and what part of the run is asked about. Shared by the passes over the store.
struct Layout {
    std::vector<ProcessGroup> groups;
    std::unordered_map<store::Id, std::size_t> groupOf;            ///< process -> position in groups and in RunFacts::ranks
    std::set<std::pair<store::Id, std::int64_t>> trainingThreads;  ///< (process, thread) that speak for the step
    std::optional<Interval> window;

    [[nodiscard]] std::optional<std::size_t> rankOf(const store::TrackRow& track) const
    {
        const auto found = groupOf.find(track.key.process);
        return found == groupOf.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] store::EventQuery query(std::vector<Kind> kinds) const { return {std::move(kinds), {}, window}; }
    /// The part of an event that lies in the window.
    [[nodiscard]] Interval clipped(const store::StoredEvent& event) const
    {
        if (!window) return {event.begin, event.end};
        return {event.begin > window->begin ? event.begin : window->begin, event.end < window->end ? event.end : window->end};
    }
};

/// All kinds of a lane.
[[nodiscard]] inline std::vector<Kind> kindsOf(Lane lane)
{
    std::vector<Kind> kinds;
    for (const KindRow& row : kindRows)
        if (row.lane == lane) kinds.push_back(row.kind);
    return kinds;
}

inline void widen(Interval& extent, Interval by)
{
    if (extent == Interval{}) extent = by;
    extent.begin = std::min(extent.begin, by.begin);
    extent.end = std::max(extent.end, by.end);
}

}  // namespace flowgauge::facts
