// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/piece_limit.h"
#include "analyzer/facts/process_groups.h"
#include "analyzer/facts/rank_facts.h"
#include "collector/store/run_store.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flowgauge::facts {

inline void widen(Interval& extent, Interval by)
{
    if (extent == Interval{}) extent = by;
    extent.begin = std::min(extent.begin, by.begin);
    extent.end = std::max(extent.end, by.end);
}

/// Which ranks of a run one of several processes looks at: an even stretch of them, in order of rank.
struct Share {
    std::size_t part = 0, parts = 1;
};

/// Which tracks belong to which rank, and what part of the run is asked about. Shared by the passes over the store.
struct Layout {
    std::vector<ProcessGroup> groups;                              ///< of the share
    std::vector<std::vector<store::TrackRow>> tracks;              ///< of each group's processes
    std::unordered_map<store::Id, std::size_t> groupOf;            ///< process -> position in groups and in RunFacts::ranks
    std::set<std::pair<store::Id, std::int64_t>> trainingThreads;  ///< (process, thread) that speak for the step
    bool threadsMarked = false;                                    ///< some thread of the run does, of whatever share
    std::optional<Interval> window;
    PieceLimit limit;  ///< of one rank

    /// Visits a group's events of these kinds: visit(track, events), track by track, each in order of begin. What a pass keeps for one
    /// rank can go before the next one begins.
    template <typename Visit>
    void scan(store::RunStore& store, std::size_t group, std::vector<Kind> kinds, const Visit& visit) const
    {
        const store::EventQuery query{std::move(kinds), {}, window};
        for (const store::TrackRow& track : tracks[group])
            store.scanTrack(track, query, [&visit](const store::TrackRow& row, std::span<const store::StoredEvent> events) {
                visit(row, events);
                return true;
            });
    }
    /// The part that lies in the window; its end is before its begin where none does.
    [[nodiscard]] Interval clipped(Interval when) const
    {
        if (!window) return when;
        return {std::max(when.begin, window->begin), std::min(when.end, window->end)};
    }
    [[nodiscard]] Interval clipped(const store::StoredEvent& event) const { return clipped(Interval{event.begin, event.end}); }

    /// Widens an extent by what a group recorded on such lanes.
    void widenByTracks(std::size_t group, std::initializer_list<Lane> lanes, Interval& extent) const
    {
        for (const store::TrackRow& track : tracks[group]) {
            if (track.events == 0 || std::find(lanes.begin(), lanes.end(), track.key.lane) == lanes.end()) continue;
            const Interval when = clipped(track.extent);
            if (when.begin <= when.end) widen(extent, when);
        }
    }
};

/// Processes that recorded anything but counters.
[[nodiscard]] std::vector<store::Id> activeProcesses(const std::vector<store::TrackRow>& tracks);

[[nodiscard]] inline bool hasCrashed(const store::ProcessRow& process)
{
    return process.ended == "killed" || process.ended == "without goodbye";
}

[[nodiscard]] Layout layoutOf(store::RunStore& store, std::optional<Interval> window, Share share);

/// All kinds of a lane.
[[nodiscard]] inline std::vector<Kind> kindsOf(Lane lane)
{
    std::vector<Kind> kinds;
    for (const KindRow& row : kindRows)
        if (row.lane == lane) kinds.push_back(row.kind);
    return kinds;
}

}  // namespace flowgauge::facts
