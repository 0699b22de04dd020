// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"
#include "collector/store/tile.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace flowgauge::store {

/// How wide the finest buckets of a track are and how many levels lie above them.
struct TileShape {
    int base = 0;  ///< log2 of the width of a bucket of level 0, ns
    int levels = 0;

    [[nodiscard]] int widthLog2(int level) const { return base + levelFactorLog2 * level; }
    [[nodiscard]] Nanos width(int level) const { return Nanos{1} << widthLog2(level); }
};

/// At least 16 us and 8 events a bucket on average; levels until one tile shows it all.
[[nodiscard]] TileShape tileShapeFor(Interval extent, std::int64_t events);

/// Builds all levels of a track's tiles in one pass. Feed it in order of begin; memory is the tiles that an event may still
/// reach. The rules of a bucket are those of BucketGrid.
class TileBuilder {
public:
    using Sink = std::function<void(int level, std::int64_t position, const Tile& tile)>;
    TileBuilder(TileShape shape, Sink sink);

    void add(const EventColumns& batch);
    void finish();  ///< hands over what is still open

private:
    using Tiles = std::map<std::int64_t, std::unique_ptr<Tile>>;
    TileBucket& bucketAt(std::int64_t index);
    void extend(Interval piece, const Bucket& leader);
    void close(int level, std::int64_t before);  ///< tiles of a level at positions before that one
    void fold(int level, std::int64_t position, const Tile& tile);

    TileShape m_shape;
    Sink m_sink;
    std::vector<Tiles> m_levels;  ///< open tiles
    std::int64_t m_current = INT64_MIN;
    Tile* m_tile = nullptr;  ///< level 0, at m_current
    std::int64_t m_first = INT64_MIN;
    Nanos m_busyUntil = INT64_MIN;
};

}  // namespace flowgauge::store
