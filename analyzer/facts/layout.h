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

/// Which ranks of a run one of several processes looks at: an even stretch of them, in order of rank.
struct Share {
    std::size_t part = 0, parts = 1;
};

/// Which track belongs to which rank, and what part of the run is asked about. Shared by the passes over the store.
struct Layout {
    std::vector<ProcessGroup> groups;                              ///< of the share
    std::vector<store::Id> tracks;                                 ///< of their processes
    std::unordered_map<store::Id, std::size_t> groupOf;            ///< process -> position in groups and in RunFacts::ranks
    std::set<std::pair<store::Id, std::int64_t>> trainingThreads;  ///< (process, thread) that speak for the step
    bool threadsMarked = false;                                    ///< some thread of the run does, of whatever share
    std::optional<Interval> window;

    [[nodiscard]] std::optional<std::size_t> rankOf(const store::TrackRow& track) const
    {
        const auto found = groupOf.find(track.key.process);
        return found == groupOf.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] store::EventQuery query(std::vector<Kind> kinds) const { return {std::move(kinds), tracks, window}; }
    /// The part of an event that lies in the window.
    [[nodiscard]] Interval clipped(const store::StoredEvent& event) const
    {
        if (!window) return {event.begin, event.end};
        return {event.begin > window->begin ? event.begin : window->begin, event.end < window->end ? event.end : window->end};
    }
};

[[nodiscard]] Layout layoutOf(store::RunStore& store, std::optional<Interval> window, Share share);

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
