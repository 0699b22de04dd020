// SPDX-License-Identifier: MIT
#include "collector/store/tile_builder.h"

#include "collector/store/bucket_grid.h"
#include "collector/store/named_columns.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace flowgauge::store {

namespace {

constexpr int leastBase = 14;
constexpr int mostWidthLog2 = 50;  // a bucket of 13 days: no run needs coarser ones
constexpr std::int64_t eventsPerBucket = 12;  // with 8, tiles take more than a fifth of a file of 100 million events
/// Level 0 may hold eight times as many tiles as eventsPerBucket would need, and these at once.
constexpr std::int64_t freeTiles = 64;
constexpr std::int64_t leastEventsPerTile = 512;
constexpr std::size_t mostSpare = 4;
constexpr std::int64_t allTiles = std::numeric_limits<std::int64_t>::max();

}  // namespace

int tileBaseFor(Interval extent, std::int64_t events)
{
    const Nanos perBucket = extent.length() / std::max<std::int64_t>(1, events / eventsPerBucket);
    return std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(perBucket))), leastBase, mostWidthLog2);
}

TileBuilder::TileBuilder(int base, Sink sink) : m_base(base), m_sink(std::move(sink)), m_levels(1) {}

TileBucket& TileBuilder::bucketAt(std::int64_t index)
{
    const std::int64_t position = index >> bucketsPerTileLog2;
    if (position != m_current) {
        m_current = position;
        m_tile = &tileAt(0, position);
    }
    return (*m_tile)[static_cast<std::size_t>(index) & (bucketsPerTile - 1)];
}

Tile& TileBuilder::tileAt(std::size_t level, std::int64_t position)
{
    auto& tile = m_levels[level].open[position];
    if (tile) return *tile;
    if (m_spare.empty()) return *(tile = std::make_unique<Tile>());
    tile = std::move(m_spare.back());
    m_spare.pop_back();
    *tile = {};
    return *tile;
}

Nanos TileBuilder::reach() const
{
    const int tileLog2 = m_base + bucketsPerTileLog2;
    const std::int64_t tiles = (m_origin >> tileLog2) + freeTiles + m_events / leastEventsPerTile;
    return tiles >= (std::numeric_limits<Nanos>::max() >> tileLog2) ? std::numeric_limits<Nanos>::max() : tiles << tileLog2;
}

/// Makes room for an event: closes what it can no longer reach, and widens the buckets where it lies too far off.
void TileBuilder::enter(Nanos begin, Nanos end)
{
    if (m_origin == INT64_MIN) m_origin = begin;
    while (std::max(begin, end) > m_reach) {
        m_reach = reach();
        if (std::max(begin, end) <= m_reach || m_base + levelFactorLog2 > mostWidthLog2) break;
        coarsen();
    }
    const std::int64_t position = begin >> (m_base + bucketsPerTileLog2);
    if (position <= m_first) return;
    m_first = position;
    close(0, position);
}

void TileBuilder::extend(Interval piece, const Bucket& leader)
{
    const Nanos width = Nanos{1} << m_base;
    for (std::int64_t index = piece.begin >> m_base; piece.begin < piece.end; ++index) {
        const Nanos until = std::min(piece.end, (index << m_base) + width);
        TileBucket& bucket = bucketAt(index);
        bucket.busyNs += until - piece.begin;
        lead(bucket, leader);
        piece.begin = until;
    }
}

void TileBuilder::add(const EventColumns& batch)
{
    NamedColumns columns(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Nanos begin = batch.begin(i);
        const Nanos end = batch.end(i);
        if (begin >> (m_base + bucketsPerTileLog2) > m_first || end > m_reach) enter(begin, end);
        Bucket event;
        event.leadingKind = columns.kind(i);
        event.leadingName = columns.name(i);
        event.longest = std::max<Nanos>(0, batch.duration(i));
        const std::int64_t index = begin >> m_base;
        TileBucket& bucket = bucketAt(index);
        bucket.events += 1;
        bucket.bytes += static_cast<std::uint64_t>(columns.bytes(i));
        lead(bucket, event);
        ++m_events;
        const Interval news{std::max(begin, m_busyUntil), end};
        if (news.end <= news.begin) continue;
        m_busyUntil = news.end;
        if (news.begin >> m_base == index && (news.end - 1) >> m_base == index)
            bucket.busyNs += news.end - news.begin;
        else
            extend(news, event);
    }
}

void TileBuilder::close(std::size_t level, std::int64_t before)
{
    while (!m_levels[level].open.empty() && m_levels[level].open.begin()->first < before) {
        auto node = m_levels[level].open.extract(m_levels[level].open.begin());
        m_sink({m_dropped + static_cast<int>(level), node.key(), Nanos{1} << widthLog2(level)}, *node.mapped());
        const bool onlyOne = before == allTiles && m_levels[level].handed == 0 && m_levels[level].open.empty();
        m_levels[level].handed += 1;
        if (!onlyOne && widthLog2(level + 1) <= mostWidthLog2) {
            if (m_levels.size() == level + 1) m_levels.emplace_back();
            close(level + 1, node.key() >> levelFactorLog2);
            fold(level + 1, node.key(), *node.mapped());
        }
        if (m_spare.size() < mostSpare) m_spare.push_back(std::move(node.mapped()));
    }
    if (level == 0) m_current = INT64_MIN;
}

/// Four buckets of the level below make one.
void TileBuilder::fold(std::size_t level, std::int64_t below, const Tile& tile)
{
    Tile& into = tileAt(level, below >> levelFactorLog2);
    const std::size_t offset = (static_cast<std::size_t>(below) & ((1U << levelFactorLog2) - 1)) << (bucketsPerTileLog2 - levelFactorLog2);
    for (std::size_t i = 0; i < tile.size(); ++i) {
        if (tile[i].leadingKind == Kind::None) continue;
        TileBucket& bucket = into[offset + (i >> levelFactorLog2)];
        bucket.events += tile[i].events;
        bucket.bytes += tile[i].bytes;
        bucket.busyNs += tile[i].busyNs;
        lead(bucket, tile[i]);
    }
}

void TileBuilder::coarsen()
{
    if (m_levels.size() == 1) m_levels.emplace_back();
    for (const auto& [position, tile] : m_levels[0].open) fold(1, position, *tile);
    m_levels.erase(m_levels.begin());
    m_base += levelFactorLog2;
    m_dropped += 1;
    if (m_first != INT64_MIN) m_first >>= levelFactorLog2;
    m_current = INT64_MIN;
}

void TileBuilder::finish()
{
    for (std::size_t level = 0; level < m_levels.size(); ++level) close(level, allTiles);
}

}  // namespace flowgauge::store
