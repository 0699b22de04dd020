// SPDX-License-Identifier: MIT
// The many things: events on their way into chunks.
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

/// A track that waits with this many is cut into chunks down to the newest half: a nonblocking call, recorded when it
/// completes, then still finds its place among its neighbours.
constexpr std::size_t mostPending = 4 * maxChunkEvents;

bool byBegin(const StoredEvent& a, const StoredEvent& b) { return a.begin < b.begin; }

void widen(Interval& extent, const ChunkHeader& header, bool first)
{
    extent.begin = first ? header.begin : std::min(extent.begin, header.begin);
    extent.end = first ? header.end : std::max(extent.end, header.end);
}

}  // namespace

void RunStore::append(Id track, std::span<const StoredEvent> events)
{
    PendingTrack& pending = m_state->pending[track];
    while (!events.empty()) {
        const std::size_t taken = std::min(events.size(), mostPending - pending.events.size());
        pending.events.insert(pending.events.end(), events.begin(), events.begin() + static_cast<std::ptrdiff_t>(taken));
        events = events.subspan(taken);
        if (pending.events.size() == mostPending) m_state->writeChunks(track, pending, false);
    }
}

void RunStore::State::writeChunks(Id track, PendingTrack& waiting, bool all)
{
    if (!writer) writer.emplace(database);
    auto& events = waiting.events;
    if (!std::is_sorted(events.begin(), events.end(), byBegin)) std::stable_sort(events.begin(), events.end(), byBegin);
    const std::size_t until = all ? events.size() : events.size() / 2;
    for (std::size_t at = 0; at < until; at += maxChunkEvents) {
        columns.assign(std::span(events).subspan(at, std::min(maxChunkEvents, until - at)));
        const ChunkHeader header = writer->write(track, columns);
        widen(waiting.extent, header, waiting.written == 0);
        waiting.written += header.events;
        // Statistics by the name of a place would be a sum of readings: no counters.
        if (columns.kind(0) != Kind::CounterSample) waiting.stats.add(columns);
    }
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(until));
}

void RunStore::State::writeTrack(Id track, PendingTrack& written)
{
    Statement widenTrack = database.prepare(
        "UPDATE track SET begin_ns = min(coalesce(begin_ns, ?2), ?2), end_ns = max(coalesce(end_ns, ?3), ?3), events = events + ?4, "
        "tile_base = NULL, tile_levels = NULL, max_overlap = NULL WHERE id = ?1");
    widenTrack.bind(1, track).bind(2, written.extent.begin).bind(3, written.extent.end).bind(4, written.written).run();
    written.stats.write(database, track);
    written.written = 0;
}

void RunStore::flush()
{
    State& state = *m_state;
    bool any = false;
    for (auto& [track, pending] : state.pending) {
        state.writeChunks(track, pending, true);
        if (pending.written == 0) continue;
        state.writeTrack(track, pending);
        any = true;
    }
    state.pending.clear();
    if (any) putMeta("finalized", 0);
}

}  // namespace flowgauge::store
