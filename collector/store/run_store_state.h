// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/chunk_table.h"
#include "collector/store/name_stats.h"
#include "collector/store/run_store.h"
#include "collector/store/track_stream.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace flowgauge::store {

/// Events of one track on their way into chunks.
struct PendingTrack {
    std::vector<StoredEvent> events;
    bool sorted = true;  ///< the events, by begin
    bool started = false;
    std::unique_ptr<TrackStream> stream;  ///< none where finalize has to read the track back
    NameStats stats;
    Interval extent;           ///< of the chunks written since the last flush
    std::int64_t written = 0;  ///< events in those chunks
};

/// What a RunStore holds beside the file. Everything that a ROLLBACK makes untrue is forgotten in one.
struct RunStore::State {
    explicit State(Database opened);

    void forget();      ///< after a rollback
    void openTables();  ///< writer and tiles
    void add(PendingTrack& pending, std::span<const StoredEvent> events);
    void writeChunks(Id track, PendingTrack& pending, bool all);
    void writeTrack(Id track, PendingTrack& pending);  ///< extent, count and statistics of what was written

    Database database;
    Nanos shift = 0;  ///< see countFrom
    std::unordered_map<std::string, Id> nameIds;
    std::unordered_map<Id, std::string> nameTexts;
    std::optional<std::vector<TrackRow>> tracks;  ///< as of the first need
    std::unordered_map<Id, PendingTrack> pending;
    std::vector<std::vector<StoredEvent>> spare;  ///< room that tracks have left: fresh pages cost as much as a column
    EventColumns columns;
    std::optional<Statement> findName, addName;
    std::optional<ChunkWriter> writer;
    std::optional<TileTable> tiles;
};

}  // namespace flowgauge::store
