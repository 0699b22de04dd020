// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/chunk_table.h"
#include "collector/store/overlap_counter.h"
#include "collector/store/tile_writer.h"

#include <memory>
#include <optional>

namespace flowgauge::store {

/// A track whose events all pass through this writer, in order of begin: its tiles are made on the way and need not be read
/// back at the end. Whatever is no such track (it had events before, or one comes late) is left to finalize.
class TrackStream {
public:
    /// Nothing for a track that has events already. `waiting`: events in order of begin that are about to be written.
    [[nodiscard]] static std::unique_ptr<TrackStream> start(TileTable& table, Database& database, Id track,
                                                            std::span<const StoredEvent> waiting);

    /// Takes a chunk; false where it cannot, and the stream is of no use from then on.
    [[nodiscard]] bool add(const EventColumns& chunk, const ChunkHeader& header);
    /// Finishes the track in the database; nothing is done where its chunks or its buckets turned out badly cut.
    void finish();

private:
    TrackStream(TileTable& table, Id track) : m_table(table), m_track(track) {}

    TileTable& m_table;
    Id m_track;
    bool m_hasTiles = true;
    std::optional<TileWriter> m_tiles;  ///< none while one chunk shows it all
    OverlapCounter m_overlap;
    Interval m_extent;
    Nanos m_lastBegin = INT64_MIN;
    std::int64_t m_events = 0, m_chunks = 0;
};

/// True where a track has so many short chunks that they are better written anew.
[[nodiscard]] constexpr bool isBadlyCut(std::int64_t chunks, std::int64_t events)
{
    return chunks > 2 + events * 5 / (4 * static_cast<std::int64_t>(maxChunkEvents));
}

}  // namespace flowgauge::store
