// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"
#include "collector/store/stored_event.h"
#include "collector/store/tile_builder.h"

namespace flowgauge::store {

/// The table of tiles, open for writing. One per writing database.
class TileTable {
public:
    explicit TileTable(Database& database) : m_database(database), m_put(database, "INSERT INTO tile VALUES (?1, ?2, ?3, ?4)") {}

    void put(Id track, const TileBuilder::Finished& where, const Tile& tile);
    void remove(Id track);                            ///< all of a track
    void drop(Id track, int levels);                  ///< the finest ones; the others count from 0 then
    void describe(Id track, const TileShape& shape);  ///< tile_base and tile_levels of the track
    void putOverlap(Id track, std::int64_t most);     ///< max_overlap of the track: it is finished

private:
    Database& m_database;
    Statement m_put;
};

/// Writes the tiles of one track. Feed it in order of begin.
class TileWriter {
public:
    TileWriter(TileTable& table, Id track, int base)
        : m_table(table),
          m_track(track),
          m_builder(base, [this](const TileBuilder::Finished& where, const Tile& tile) { m_table.put(m_track, where, tile); })
    {
    }
    TileWriter(const TileWriter&) = delete;
    TileWriter& operator=(const TileWriter&) = delete;

    void add(const EventColumns& batch) { m_builder.add(batch); }
    void finish()
    {
        m_builder.finish();
        if (m_builder.dropped() > 0) m_table.drop(m_track, m_builder.dropped());
        m_table.describe(m_track, m_builder.shape());
    }
    [[nodiscard]] int base() const { return m_builder.shape().base; }

private:
    TileTable& m_table;
    Id m_track;
    TileBuilder m_builder;
};

}  // namespace flowgauge::store
