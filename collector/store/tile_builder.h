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

/// log2 of the finest buckets' width: no finer than a screen shows, and with enough events each on average to be worth their bytes.
[[nodiscard]] int tileBaseFor(Interval extent, std::int64_t events);

/// Builds all levels of a track's tiles in one pass, up to the level of which one tile shows it all. Feed it in order of
/// begin; memory is the tiles that an event may still reach. The rules of a bucket are those of BucketGrid.
///
/// The base is a guess from the first events. Where later ones lie so far apart that nearly every tile would be empty, the
/// finest level is given up, and the next one takes its place.
class TileBuilder {
public:
    /// width: of a bucket, ns. Levels count from the base that the builder began with: those below dropped() are given up.
    struct Finished {
        int level;
        std::int64_t position;
        Nanos width;
    };
    using Sink = std::function<void(const Finished& where, const Tile& tile)>;
    TileBuilder(int base, Sink sink);

    void add(const EventColumns& batch);
    void finish();  ///< hands over what is still open

    [[nodiscard]] int dropped() const { return m_dropped; }
    [[nodiscard]] TileShape shape() const { return {m_base, static_cast<int>(m_levels.size())}; }  ///< once finished

private:
    struct Level {
        std::map<std::int64_t, std::unique_ptr<Tile>> open;
        std::int64_t handed = 0;
    };
    TileBucket& bucketAt(std::int64_t index);
    [[nodiscard]] Tile& tileAt(std::size_t level, std::int64_t position);  ///< an empty one where none is open
    void enter(Nanos begin, Nanos end);
    void extend(Interval piece, const Bucket& leader);
    void close(std::size_t level, std::int64_t before);  ///< tiles of a level at positions before that one
    void fold(std::size_t level, std::int64_t below, const Tile& tile);
    void coarsen();
    [[nodiscard]] Nanos reach() const;
    [[nodiscard]] int widthLog2(std::size_t level) const { return m_base + levelFactorLog2 * static_cast<int>(level); }

    int m_base;
    int m_dropped = 0;
    Sink m_sink;
    std::vector<Level> m_levels;
    std::vector<std::unique_ptr<Tile>> m_spare;  ///< memory of tiles that were handed over: fresh pages cost more than zeros
    std::int64_t m_current = INT64_MIN;
    Tile* m_tile = nullptr;  ///< level 0, at m_current
    std::int64_t m_first = INT64_MIN;
    Nanos m_origin = INT64_MIN;  ///< the first begin
    Nanos m_reach = INT64_MIN;   ///< until here level 0 may go, for all that is known
    std::int64_t m_events = 0;
    Nanos m_busyUntil = INT64_MIN;
};

}  // namespace flowgauge::store
