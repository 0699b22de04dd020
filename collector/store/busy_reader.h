// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/track_reader.h"

#include <list>
#include <optional>
#include <vector>

namespace flowgauge::store {

/// The time in which at least one event of some kinds ran on some tracks: disjoint stretches in order, clipped to the window.
/// Memory is a chunk a track.
class BusyReader {
public:
    BusyReader(Database& database, const std::vector<Id>& tracks, const ChunkFilter& filter);

    /// The next stretch; it does not touch the one before.
    [[nodiscard]] std::optional<Interval> next();

private:
    struct Source {
        Source(Database& database, Id track, const ChunkFilter& filter) : reader(database, track, filter, timeColumns) {}
        TrackReader reader;
        const EventColumns* batch = nullptr;
        std::size_t at = 0;
        Interval current;  ///< of the event that is next
    };
    bool advance(Source& source) const;
    std::list<Source>::iterator earliest();

    ChunkFilter m_filter;
    std::list<Source> m_sources;  ///< those that have a current event; they do not move: batch points into reader
    std::optional<Interval> m_open;
};

}  // namespace flowgauge::store
