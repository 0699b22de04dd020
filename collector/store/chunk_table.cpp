// SPDX-License-Identifier: MIT
#include "collector/store/chunk_table.h"

#include <algorithm>
#include <limits>

namespace flowgauge::store {

namespace {

/// Columns and planes have done the work already; what they leave is noise or repetition. Level 1 makes files 1 to 4 % smaller,
/// the whole ingest 8 % and every reading of chunks 20 % slower.
constexpr int zstdLevel = -1;

ChunkHeader headerOf(const EventColumns& events)
{
    ChunkHeader header;
    header.begin = events.begin(0);
    header.lastBegin = events.begin(events.size() - 1);
    header.end = header.lastBegin;
    header.events = static_cast<std::int64_t>(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        header.end = std::max(header.end, events.end(i));
        header.kinds |= bitOf(events.kind(i));
    }
    return header;
}

}  // namespace

ChunkWriter::ChunkWriter(Database& database)
    : m_header(database,
               "INSERT INTO chunk (track_id, begin_ns, last_begin_ns, end_ns, events, kinds, codec) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
               "RETURNING id"),
      m_payload(database, "INSERT INTO chunk_payload (id, data) VALUES (?1, ?2)")
{
}

ChunkHeader ChunkWriter::write(Id track, const EventColumns& events)
{
    ChunkHeader header = headerOf(events);
    m_header.bind(1, track).bind(2, header.begin).bind(3, header.lastBegin).bind(4, header.end).bind(5, header.events);
    m_header.bind(6, static_cast<std::int64_t>(header.kinds)).bind(7, std::int64_t{chunkCodec});
    m_header.step();
    header.id = m_header.integer(0);
    m_header.run();
    m_payload.bind(1, header.id).bindBorrowed(2, m_encoder.encode(events, zstdLevel)).run();
    return header;
}

std::vector<ChunkHeader> chunkHeaders(Database& database, Id track, const ChunkFilter& filter)
{
    Statement find(database,
                   "SELECT id, begin_ns, last_begin_ns, end_ns, events, kinds FROM chunk "
                   "WHERE track_id = ?1 AND begin_ns < ?2 AND end_ns >= ?3 AND (kinds & ?4) != 0 ORDER BY begin_ns, id");
    constexpr Interval always{std::numeric_limits<Nanos>::min(), std::numeric_limits<Nanos>::max()};
    const Interval window = filter.window.value_or(always);
    find.bind(1, track).bind(2, window.end).bind(3, window.begin).bind(4, static_cast<std::int64_t>(filter.kinds));
    std::vector<ChunkHeader> headers;
    while (find.step())
        headers.push_back(
            {find.integer(0), find.integer(1), find.integer(2), find.integer(3), find.integer(4), static_cast<KindBits>(find.integer(5))});
    return headers;
}

}  // namespace flowgauge::store
