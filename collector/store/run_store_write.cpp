// SPDX-License-Identifier: MIT
// The many things: events on their way into chunks.
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

/// A track that waits with so many is cut into chunks, but for the newest: a nonblocking call, recorded when it completes,
/// then still finds its place among its neighbours.
constexpr std::size_t mostPending = 4 * maxChunkEvents;
constexpr std::size_t keptPending = maxChunkEvents;
constexpr std::size_t mostSpare = 16;  // of 1 MiB each

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
        m_state->add(pending, events.first(taken));
        events = events.subspan(taken);
        if (pending.events.size() == mostPending) m_state->writeChunks(track, pending, false);
    }
}

void RunStore::State::openTables()
{
    if (!writer) writer.emplace(database);
    if (!tiles) tiles.emplace(database);
}

void RunStore::State::add(PendingTrack& waiting, std::span<const StoredEvent> events)
{
    if (waiting.sorted) {
        Nanos last = waiting.events.empty() ? events.front().begin : waiting.events.back().begin;
        bool sorted = true;
        for (const StoredEvent& event : events) {
            sorted &= event.begin >= last;
            last = event.begin;
        }
        waiting.sorted = sorted;
    }
    if (waiting.events.capacity() == 0 && !spare.empty()) {
        waiting.events = std::move(spare.back());
        spare.pop_back();
    }
    waiting.events.insert(waiting.events.end(), events.begin(), events.end());
}

void RunStore::State::writeChunks(Id track, PendingTrack& waiting, bool all)
{
    openTables();
    auto& events = waiting.events;
    if (!waiting.sorted) std::stable_sort(events.begin(), events.end(), byBegin);
    waiting.sorted = true;
    if (!waiting.started && !events.empty()) waiting.stream = TrackStream::start(*tiles, database, track, events);
    waiting.started = true;
    const std::size_t until = all ? events.size() : events.size() - keptPending;
    for (std::size_t at = 0; at < until; at += maxChunkEvents) {
        columns.assign(std::span(events).subspan(at, std::min(maxChunkEvents, until - at)));
        const ChunkHeader header = writer->write(track, columns);
        widen(waiting.extent, header, waiting.written == 0);
        waiting.written += header.events;
        // Statistics by the name of a place would be a sum of readings: no counters.
        if (columns.kind(0) != Kind::CounterSample) waiting.stats.add(columns);
        if (waiting.stream && !waiting.stream->add(columns, header)) waiting.stream.reset();
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
    for (auto pending = state.pending.begin(); pending != state.pending.end();) {
        auto& [track, waiting] = *pending;
        if (waiting.events.empty() && waiting.written == 0) {
            // Nothing came since the last flush: as a rule, its process is through. What it holds open is memory.
            if (waiting.stream) waiting.stream->finish();
            pending = state.pending.erase(pending);
            continue;
        }
        state.writeChunks(track, waiting, true);
        state.writeTrack(track, waiting);
        if (state.spare.size() < mostSpare) state.spare.push_back(std::move(waiting.events));
        waiting.events = {};
        any = true;
        ++pending;
    }
    if (any) putMeta("finalized", 0);
}

}  // namespace flowgauge::store
