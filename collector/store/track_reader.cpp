// SPDX-License-Identifier: MIT
#include "collector/store/track_reader.h"

#include "collector/record/error.h"
#include "collector/store/named_columns.h"

#include <algorithm>
#include <limits>

namespace flowgauge::store {

TrackReader::TrackReader(Database& database, Id track, const ChunkFilter& filter, ColumnSet wanted)
    : m_database(&database),
      m_wanted(wanted | timeColumns),
      m_headers(chunkHeaders(database, track, filter)),
      m_payload(database, "SELECT data FROM chunk_payload WHERE id = ?1")
{
}

void TrackReader::load(const ChunkHeader& header)
{
    m_payload.bind(1, header.id);
    if (!m_payload.step()) throw Error(m_database->file().string(), "chunk ", header.id, " has no payload: the file is damaged");
    try {
        const ColumnSet named = m_named ? namedColumnsOf(header.kinds) : ColumnSet{0};
        m_decoder.decode(m_payload.blob(0), m_wanted | named, m_fresh);
    } catch (const Error& error) {
        throw Error(m_database->file().string(), "chunk ", header.id, ": ", error.what());
    }
    m_payload.reset();
}

const EventColumns* TrackReader::merged(bool last, Nanos until)
{
    const auto middle = static_cast<std::ptrdiff_t>(m_waiting.size());
    for (std::size_t i = 0; i < m_fresh.size(); ++i) m_waiting.push_back(m_fresh.event(i));
    const auto byBegin = [](const StoredEvent& a, const StoredEvent& b) { return a.begin < b.begin; };
    std::inplace_merge(m_waiting.begin(), m_waiting.begin() + middle, m_waiting.end(), byBegin);
    const auto after = [](Nanos time, const StoredEvent& event) { return time < event.begin; };
    const auto cut = last ? m_waiting.end() : std::upper_bound(m_waiting.begin(), m_waiting.end(), until, after);
    m_batch.assign({m_waiting.begin(), cut});
    m_waiting.erase(m_waiting.begin(), cut);
    return &m_batch;
}

const EventColumns* TrackReader::next()
{
    while (m_at < m_headers.size()) {
        const ChunkHeader& header = m_headers[m_at++];
        load(header);
        const bool last = m_at == m_headers.size();
        const Nanos until = last ? std::numeric_limits<Nanos>::max() : m_headers[m_at].begin;
        if (m_waiting.empty() && (last || header.lastBegin <= until)) return &m_fresh;
        const EventColumns* batch = merged(last, until);
        if (batch->size() != 0) return batch;
    }
    return nullptr;
}

}  // namespace flowgauge::store
