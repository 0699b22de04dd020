// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/codec.h"
#include "collector/store/database.h"
#include "collector/store/kind_columns.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace flowgauge::store {

/// A row of `chunk`: where in time, how many, of which kinds. The payload lies in another table, under the same id.
struct ChunkHeader {
    Id id = 0;
    Nanos begin = 0;      ///< the first begin
    Nanos lastBegin = 0;  ///< the last begin
    Nanos end = 0;        ///< the latest end
    std::int64_t events = 0;
    KindBits kinds = 0;
};

/// Writes chunks. One per writing database.
class ChunkWriter {
public:
    explicit ChunkWriter(Database& database);

    /// events: in order of begin, 1 to maxChunkEvents. Returns the header that was written.
    ChunkHeader write(Id track, const EventColumns& events);

private:
    ChunkEncoder m_encoder;
    Statement m_header, m_payload;
};

/// Which chunks of a track may hold what is asked for.
struct ChunkFilter {
    KindBits kinds = allKinds;
    std::optional<Interval> window;
};

/// In order of begin.
[[nodiscard]] std::vector<ChunkHeader> chunkHeaders(Database& database, Id track, const ChunkFilter& filter = {});

/// True for events that a window shows: those that overlap it, and instants inside it.
[[nodiscard]] constexpr bool shows(const Interval& window, Nanos begin, Nanos end)
{
    return begin < window.end && (end > window.begin || begin >= window.begin);
}

}  // namespace flowgauge::store
