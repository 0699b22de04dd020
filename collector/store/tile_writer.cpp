// SPDX-License-Identifier: MIT
#include "collector/store/tile_writer.h"

namespace flowgauge::store {

void TileTable::put(Id track, const TileBuilder::Finished& where, const Tile& tile)
{
    const auto data = encodeTile(tile, where.width);
    m_put.bind(1, track).bind(2, std::int64_t{where.level}).bind(3, where.position).bindBorrowed(4, data).run();
}

void TileTable::remove(Id track) { m_database.prepare("DELETE FROM tile WHERE track_id = ?1").bind(1, track).run(); }

void TileTable::drop(Id track, int levels)
{
    Statement highest = m_database.prepare("SELECT max(level) FROM tile WHERE track_id = ?1");
    highest.bind(1, track);
    const std::int64_t last = highest.step() ? highest.integer(0) : 0;
    m_database.prepare("DELETE FROM tile WHERE track_id = ?1 AND level < ?2").bind(1, track).bind(2, std::int64_t{levels}).run();
    // Level by level: one statement for all might put a row where another one still lies.
    Statement rename = m_database.prepare("UPDATE tile SET level = ?3 WHERE track_id = ?1 AND level = ?2");
    for (std::int64_t level = levels; level <= last; ++level) rename.bind(1, track).bind(2, level).bind(3, level - levels).run();
}

void TileTable::describe(Id track, const TileShape& shape)
{
    Statement set = m_database.prepare("UPDATE track SET tile_base = ?2, tile_levels = ?3 WHERE id = ?1");
    set.bind(1, track).bind(2, std::int64_t{shape.base}).bind(3, std::int64_t{shape.levels}).run();
}

void TileTable::putOverlap(Id track, std::int64_t most)
{
    m_database.prepare("UPDATE track SET max_overlap = ?2 WHERE id = ?1").bind(1, track).bind(2, most).run();
}

}  // namespace flowgauge::store
