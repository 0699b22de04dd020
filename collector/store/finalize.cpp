// SPDX-License-Identifier: MIT
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"
#include "collector/store/track_reader.h"
#include "collector/store/track_stream.h"

#include <algorithm>
#include <optional>

namespace flowgauge::store {

namespace {

/// True where there are many short chunks, or where one begins before the one before it is through.
bool needsMerging(const std::vector<ChunkHeader>& headers)
{
    std::int64_t events = 0;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        events += headers[i].events;
        if (i + 1 < headers.size() && headers[i].lastBegin > headers[i + 1].begin) return true;
    }
    return isBadlyCut(static_cast<std::int64_t>(headers.size()), events);
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

/// One pass over a track: full chunks where they are not, tiles where one chunk does not show it all, the overlap.
void finishTrack(Database& database, ChunkWriter& writer, TileTable& table, const TrackRow& track)
{
    const std::vector<ChunkHeader> chunks = chunkHeaders(database, track.id);
    const bool merge = needsMerging(chunks);
    const bool tiles = track.key.lane != Lane::Counter && chunks.size() > 1;
    ChunkMerger merger(writer, track.id);
    std::optional<TileWriter> tileWriter;
    table.remove(track.id);
    if (tiles) tileWriter.emplace(table, track.id, tileBaseFor(track.extent, track.events));
    OverlapCounter overlap;
    // The reader lists the old chunks now: the new ones, which come before those go, are not among them.
    TrackReader reader(database, track.id, {}, merge ? allColumns : timeColumns);
    if (tiles) reader.wantNamed();
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
    table.putOverlap(track.id, overlap.most());
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

/// One file that any SQLite opens, also on a file system without shared memory, and that is on the disk when this returns.
void tidy(Database& database)
{
    database.execute("PRAGMA synchronous = FULL; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
}

}  // namespace

void RunStore::finalize(const std::function<void(double)>& progress)
{
    State& state = *m_state;
    {
        Transaction transaction(database());
        flush();
        state.openTables();
        for (auto& [track, pending] : state.pending)
            if (pending.stream) pending.stream->finish();
        state.pending.clear();
        const std::vector<TrackRow> all = tracks();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!isFinished(database(), all[i].id)) finishTrack(database(), *state.writer, *state.tiles, all[i]);
            if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(all.size()));
        }
        putTotals(*this);
        transaction.commit();
    }
    tidy(database());
}

}  // namespace flowgauge::store
