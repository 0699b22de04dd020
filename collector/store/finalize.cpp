// SPDX-License-Identifier: MIT
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"
#include "collector/store/track_reader.h"

#include <algorithm>

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

/// Writes a track anew as full chunks. New rows come before old ones go: the reader needs those.
void mergeChunks(Database& database, ChunkWriter& writer, Id track)
{
    const std::vector<ChunkHeader> old = chunkHeaders(database, track);
    TrackReader reader(database, track);
    std::vector<StoredEvent> waiting;
    EventColumns columns;
    const auto write = [&](std::size_t least) {
        std::size_t at = 0;
        for (; waiting.size() - at >= least && at < waiting.size(); at += columns.size()) {
            columns.assign(std::span(waiting).subspan(at, std::min(maxChunkEvents, waiting.size() - at)));
            writer.write(track, columns);
        }
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(at));
    };
    while (const EventColumns* batch = reader.next()) {
        for (std::size_t i = 0; i < batch->size(); ++i) waiting.push_back(batch->event(i));
        write(maxChunkEvents);
    }
    write(1);
    removeChunks(database, old);
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
            if (needsMerging(chunkHeaders(database(), all[i].id))) mergeChunks(database(), *state.writer, all[i].id);
            if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(all.size()));
        }
        putTotals(*this);
        transaction.commit();
    }
    tidy(database());
}

}  // namespace flowgauge::store
