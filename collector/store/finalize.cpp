// SPDX-License-Identifier: MIT
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"
#include "collector/store/tile_builder.h"
#include "collector/store/track_reader.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>

namespace flowgauge::store {

namespace {

/// True where chunks are shorter than they could be, or where one begins before the one before it is through.
bool needsMerging(const std::vector<ChunkHeader>& headers)
{
    for (std::size_t i = 0; i + 1 < headers.size(); ++i)
        if (headers[i].events < static_cast<std::int64_t>(maxChunkEvents) || headers[i].lastBegin > headers[i + 1].begin) return true;
    return false;
}

void removeChunks(Database& database, const std::vector<ChunkHeader>& headers)
{
    Statement header(database, "DELETE FROM chunk WHERE id = ?1");
    Statement payload(database, "DELETE FROM chunk_payload WHERE id = ?1");
    for (const ChunkHeader& chunk : headers) {
        header.bind(1, chunk.id).run();
        payload.bind(1, chunk.id).run();
    }
}

/// Most events that run at once, fed in order of begin. Instants overlap nothing.
class OverlapCounter {
public:
    void add(const EventColumns& batch)
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            while (!m_ends.empty() && m_ends.top() <= batch.begin(i)) m_ends.pop();
            if (batch.end(i) > batch.begin(i)) m_ends.push(batch.end(i));
            m_most = std::max(m_most, m_ends.size());
        }
    }
    [[nodiscard]] std::int64_t most() const { return static_cast<std::int64_t>(m_most); }

private:
    std::priority_queue<Nanos, std::vector<Nanos>, std::greater<>> m_ends;
    std::size_t m_most = 0;
};

/// Cuts a stream of batches into full chunks.
class ChunkMerger {
public:
    ChunkMerger(ChunkWriter& writer, Id track) : m_writer(writer), m_track(track) {}

    void add(const EventColumns& batch)
    {
        for (std::size_t i = 0; i < batch.size(); ++i) m_waiting.push_back(batch.event(i));
        write(maxChunkEvents);
    }
    void finish() { write(1); }

private:
    void write(std::size_t least)
    {
        std::size_t at = 0;
        for (; at < m_waiting.size() && m_waiting.size() - at >= least; at += m_columns.size()) {
            m_columns.assign(std::span(m_waiting).subspan(at, std::min(maxChunkEvents, m_waiting.size() - at)));
            m_writer.write(m_track, m_columns);
        }
        m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(at));
    }

    ChunkWriter& m_writer;
    Id m_track;
    std::vector<StoredEvent> m_waiting;
    EventColumns m_columns;
};

/// Writes tiles of one track.
class TileWriter {
public:
    TileWriter(Database& database, const TrackRow& track)
        : m_database(database),
          m_track(track.id),
          m_shape(tileShapeFor(track.extent, track.events)),
          m_put(database, "INSERT OR REPLACE INTO tile VALUES (?1, ?2, ?3, ?4)"),
          m_builder(m_shape, [this](int level, std::int64_t position, const Tile& tile) {
              m_put.bind(1, m_track).bind(2, std::int64_t{level}).bind(3, position).bind(4, encodeTile(tile, m_shape.width(level))).run();
          })
    {
        database.prepare("DELETE FROM tile WHERE track_id = ?1").bind(1, m_track).run();
    }
    TileWriter(const TileWriter&) = delete;
    TileWriter& operator=(const TileWriter&) = delete;

    void add(const EventColumns& batch) { m_builder.add(batch); }
    void finish()
    {
        m_builder.finish();
        Statement shape = m_database.prepare("UPDATE track SET tile_base = ?2, tile_levels = ?3 WHERE id = ?1");
        shape.bind(1, m_track).bind(2, std::int64_t{m_shape.base}).bind(3, std::int64_t{m_shape.levels}).run();
    }

private:
    Database& m_database;
    Id m_track;
    TileShape m_shape;
    Statement m_put;
    TileBuilder m_builder;
};

/// One pass over a track: full chunks where they are not, tiles where one chunk does not show it all, the overlap.
void finishTrack(Database& database, ChunkWriter& writer, const TrackRow& track)
{
    const std::vector<ChunkHeader> chunks = chunkHeaders(database, track.id);
    const bool merge = needsMerging(chunks);
    const bool tiles = track.key.lane != Lane::Counter && chunks.size() > 1;
    ChunkMerger merger(writer, track.id);
    std::optional<TileWriter> tileWriter;
    if (tiles) tileWriter.emplace(database, track);
    OverlapCounter overlap;
    constexpr ColumnSet shown = timeColumns | setOf(Column::Arg0) | setOf(Column::Arg1) | setOf(Column::Arg2) | setOf(Column::Arg3);
    // The reader lists the old chunks now: the new ones, which come before those go, are not among them.
    TrackReader reader(database, track.id, {}, merge ? allColumns : shown);
    while (const EventColumns* batch = reader.next()) {
        if (merge) merger.add(*batch);
        if (tiles) tileWriter->add(*batch);
        overlap.add(*batch);
    }
    if (tiles) tileWriter->finish();
    if (merge) {
        merger.finish();
        removeChunks(database, chunks);
    }
    database.prepare("UPDATE track SET max_overlap = ?2 WHERE id = ?1").bind(1, track.id).bind(2, overlap.most()).run();
}

/// A flush takes max_overlap away: then the track has news.
bool isFinished(Database& database, Id track)
{
    Statement find = database.prepare("SELECT max_overlap IS NOT NULL FROM track WHERE id = ?1");
    return find.bind(1, track).step() && find.integer(0) != 0;
}

void putTotals(RunStore& store)
{
    Statement sums = store.database().prepare("SELECT min(begin_ns), max(end_ns), sum(events) FROM track");
    sums.step();
    store.putMeta("t_min", sums.integer(0));
    store.putMeta("t_max", sums.integer(1));
    store.putMeta("events", sums.integer(2));
    store.putMeta("finalized", 1);
}

/// One file that any SQLite opens, also on a file system without shared memory.
void tidy(Database& database) { database.execute("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE"); }

}  // namespace

void RunStore::finalize(const std::function<void(double)>& progress)
{
    State& state = *m_state;
    {
        Transaction transaction(database());
        flush();
        if (!state.writer) state.writer.emplace(database());
        const std::vector<TrackRow> all = tracks();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!isFinished(database(), all[i].id)) finishTrack(database(), *state.writer, all[i]);
            if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(all.size()));
        }
        putTotals(*this);
        transaction.commit();
    }
    tidy(database());
}

}  // namespace flowgauge::store
