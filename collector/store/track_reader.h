// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/chunk_table.h"

#include <vector>

namespace flowgauge::store {

/// Reads one track in order of begin, a batch at a time. Memory is one chunk, and those events of earlier chunks that begin
/// later than the next one (a nonblocking call is recorded when it completes). Batches hold whole chunks: the caller looks
/// at kind and time of each event.
class TrackReader {
public:
    TrackReader(Database& database, Id track, const ChunkFilter& filter = {}, ColumnSet wanted = allColumns);

    /// Decodes name and bytes too, whichever columns hold them: a chunk of one kind needs fewer than one of all kinds would.
    void wantNamed() { m_named = true; }

    /// The next batch, valid until the next call; nullptr at the end. Throws Error where a chunk is damaged.
    [[nodiscard]] const EventColumns* next();

private:
    void load(const ChunkHeader& header);
    const EventColumns* merged(bool last, Nanos until);

    Database* m_database;
    ColumnSet m_wanted;
    bool m_named = false;
    std::vector<ChunkHeader> m_headers;
    std::size_t m_at = 0;
    Statement m_payload;
    ChunkDecoder m_decoder;
    EventColumns m_fresh, m_batch;
    std::vector<StoredEvent> m_waiting;  ///< in order of begin
};

}  // namespace flowgauge::store
