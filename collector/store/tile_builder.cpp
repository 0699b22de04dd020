// SPDX-License-Identifier: MIT
#include "collector/store/tile_builder.h"

#include "collector/store/bucket_grid.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace flowgauge::store {

namespace {

constexpr int leastBase = 14;
constexpr int mostWidthLog2 = 50;  // a bucket of 13 days: no run needs coarser ones
constexpr std::int64_t eventsPerBucket = 8;

}  // namespace

TileShape tileShapeFor(Interval extent, std::int64_t events)
{
    const Nanos perBucket = extent.length() / std::max<std::int64_t>(1, events / eventsPerBucket);
    TileShape shape{std::max(leastBase, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(perBucket)))), 1};
    const auto tileOf = [&](Nanos time) { return time >> (shape.widthLog2(shape.levels - 1) + bucketsPerTileLog2); };
    while (tileOf(extent.begin) != tileOf(extent.end) && shape.widthLog2(shape.levels) < mostWidthLog2) ++shape.levels;
    return shape;
}

TileBuilder::TileBuilder(TileShape shape, Sink sink)
    : m_shape(shape), m_sink(std::move(sink)), m_levels(static_cast<std::size_t>(shape.levels))
{
}

TileBucket& TileBuilder::bucketAt(std::int64_t index)
{
    const std::int64_t position = index >> bucketsPerTileLog2;
    if (position != m_current) {
        auto& tile = m_levels[0][position];
        if (!tile) tile = std::make_unique<Tile>();
        m_current = position;
        m_tile = tile.get();
    }
    return (*m_tile)[static_cast<std::size_t>(index) & (bucketsPerTile - 1)];
}

void TileBuilder::extend(Interval piece, const Bucket& leader)
{
    const Nanos width = m_shape.width(0);
    for (std::int64_t index = piece.begin >> m_shape.base; piece.begin < piece.end; ++index) {
        const Nanos until = std::min(piece.end, (index << m_shape.base) + width);
        TileBucket& bucket = bucketAt(index);
        bucket.busyNs += until - piece.begin;
        lead(bucket, leader);
        piece.begin = until;
    }
}

void TileBuilder::add(const EventColumns& batch)
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Nanos begin = batch.begin(i);
        const std::int64_t index = begin >> m_shape.base;
        if (index >> bucketsPerTileLog2 > m_first) {
            m_first = index >> bucketsPerTileLog2;
            close(0, m_first);
        }
        const Bucket event = bucketOf(batch, i);
        TileBucket& bucket = bucketAt(index);
        bucket.events += 1;
        bucket.bytes += event.bytes;
        lead(bucket, event);
        const Interval news{std::max(begin, m_busyUntil), batch.end(i)};
        if (news.empty()) continue;
        extend(news, event);
        m_busyUntil = news.end;
    }
}

void TileBuilder::close(int level, std::int64_t before)
{
    Tiles& open = m_levels[static_cast<std::size_t>(level)];
    while (!open.empty() && open.begin()->first < before) {
        const auto node = open.extract(open.begin());
        m_sink(level, node.key(), *node.mapped());
        if (level + 1 < m_shape.levels) fold(level + 1, node.key(), *node.mapped());
    }
    if (level == 0) m_current = INT64_MIN;
}

/// Four buckets of the level below make one.
void TileBuilder::fold(int level, std::int64_t below, const Tile& tile)
{
    const std::int64_t position = below >> levelFactorLog2;
    close(level, position);
    auto& into = m_levels[static_cast<std::size_t>(level)][position];
    if (!into) into = std::make_unique<Tile>();
    const std::size_t offset = (static_cast<std::size_t>(below) & ((1U << levelFactorLog2) - 1)) << (bucketsPerTileLog2 - levelFactorLog2);
    for (std::size_t i = 0; i < tile.size(); ++i) {
        TileBucket& bucket = (*into)[offset + (i >> levelFactorLog2)];
        bucket.events += tile[i].events;
        bucket.bytes += tile[i].bytes;
        bucket.busyNs += tile[i].busyNs;
        if (tile[i].leadingKind != Kind::None) lead(bucket, tile[i]);
    }
}

void TileBuilder::finish()
{
    for (int level = 0; level < m_shape.levels; ++level) close(level, std::numeric_limits<std::int64_t>::max());
}

}  // namespace flowgauge::store
