// SPDX-License-Identifier: MIT
#include "collector/store/track_stream.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

/// A base guessed from the first events may be this much (a factor of 16) wider than all events ask for.
constexpr int mostTooWide = 4;

}  // namespace

std::unique_ptr<TrackStream> TrackStream::start(TileTable& table, Database& database, Id track, std::span<const StoredEvent> waiting)
{
    Statement find = database.prepare("SELECT events, lane = 'counter' FROM track WHERE id = ?1");
    find.bind(1, track);
    if (!find.step() || find.integer(0) != 0) return nullptr;
    std::unique_ptr<TrackStream> stream(new TrackStream(table, track));
    stream->m_hasTiles = find.integer(1) == 0;
    if (stream->m_hasTiles && waiting.size() > maxChunkEvents) {
        const Interval seen{waiting.front().begin, waiting.back().begin};
        stream->m_tiles.emplace(table, track, tileBaseFor(seen, static_cast<std::int64_t>(waiting.size())));
    }
    return stream;
}

bool TrackStream::add(const EventColumns& chunk, const ChunkHeader& header)
{
    const bool unseen = m_hasTiles && !m_tiles && m_chunks > 0;  // the first chunk is in no tile
    if (header.begin < m_lastBegin || unseen) return false;
    m_extent = m_chunks == 0 ? Interval{header.begin, header.end} : Interval{m_extent.begin, std::max(m_extent.end, header.end)};
    m_lastBegin = header.lastBegin;
    m_events += header.events;
    m_chunks += 1;
    m_overlap.add(chunk);
    if (m_tiles) m_tiles->add(chunk);
    return true;
}

void TrackStream::finish()
{
    if (isBadlyCut(m_chunks, m_events)) return;
    if (m_tiles && m_tiles->base() > tileBaseFor(m_extent, m_events) + mostTooWide) return;
    if (m_tiles) m_tiles->finish();
    m_table.putOverlap(m_track, m_overlap.most());
}

}  // namespace flowgauge::store
