// SPDX-License-Identifier: MIT
#include "collector/store/bucket_grid.h"
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"
#include "collector/store/tile_builder.h"
#include "collector/store/track_reader.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

KindBits bitsOf(const std::vector<Kind>& kinds)
{
    KindBits bits = kinds.empty() ? allKinds : 0;
    for (const Kind kind : kinds) bits |= bitOf(kind);
    return bits;
}

Interval shifted(Interval interval, Nanos by) { return {interval.begin + by, interval.end + by}; }

void shift(std::vector<StoredEvent>& events, Nanos by)
{
    for (StoredEvent& event : events) {
        event.begin += by;
        event.end += by;
    }
}

void keepAskedFor(const EventColumns& batch, const ChunkFilter& filter, std::vector<StoredEvent>& kept)
{
    kept.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if ((filter.kinds & bitOf(batch.kind(i))) == 0) continue;
        if (filter.window && !shows(*filter.window, batch.begin(i), batch.end(i))) continue;
        kept.push_back(batch.event(i));
    }
}

}  // namespace

void RunStore::countFrom(Nanos zeroUnixNs)
{
    m_state->shift = meta("t_zero").value_or(zeroUnixNs) - zeroUnixNs;
    m_state->tracks.reset();
}

Nanos RunStore::sinceZero() const { return m_state->shift; }

void RunStore::scan(const EventQuery& query, const std::function<bool(const TrackRow&, std::span<const StoredEvent>)>& visit)
{
    std::vector<Id> asked = query.tracks;
    std::sort(asked.begin(), asked.end());
    for (const TrackRow& track : tracks()) {
        if (!asked.empty() && !std::binary_search(asked.begin(), asked.end(), track.id)) continue;
        if (!scanTrack(track, query, visit)) return;
    }
}

bool RunStore::scanTrack(const TrackRow& track, const EventQuery& query,
                         const std::function<bool(const TrackRow&, std::span<const StoredEvent>)>& visit)
{
    const Nanos zero = m_state->shift;
    const ChunkFilter filter{bitsOf(query.kinds), query.window ? std::optional(shifted(*query.window, -zero)) : std::nullopt};
    std::vector<StoredEvent> kept;
    TrackReader reader(database(), track.id, filter);
    while (const EventColumns* batch = reader.next()) {
        keepAskedFor(*batch, filter, kept);
        if (zero != 0) shift(kept, zero);
        if (!kept.empty() && !visit(track, kept)) return false;
    }
    return true;
}

namespace {

std::optional<TileShape> tileShape(Database& database, Id track)
{
    Statement find(database, "SELECT tile_base, tile_levels FROM track WHERE id = ?1 AND tile_base IS NOT NULL");
    find.bind(1, track);
    if (!find.step()) return std::nullopt;
    return TileShape{static_cast<int>(find.integer(0)), static_cast<int>(find.integer(1))};
}

/// The coarsest level whose buckets are no wider than a column; none where even the finest are.
std::optional<int> levelFor(const TileShape& shape, Interval window, int columns)
{
    for (int level = shape.levels - 1; level >= 0; --level)
        if (shape.width(level) <= window.length() / columns) return level;
    return std::nullopt;
}

struct TileSource {
    Database& database;
    Id track;
    TileShape shape;
    int level;
};

void addTiles(const TileSource& source, Interval window, BucketGrid& grid)
{
    Statement find(source.database, "SELECT position, data FROM tile WHERE track_id = ?1 AND level = ?2 AND position BETWEEN ?3 AND ?4");
    const int tileWidthLog2 = source.shape.widthLog2(source.level) + bucketsPerTileLog2;
    find.bind(1, source.track).bind(2, std::int64_t{source.level});
    find.bind(3, window.begin >> tileWidthLog2).bind(4, (window.end - 1) >> tileWidthLog2);
    const Nanos width = source.shape.width(source.level);
    const auto tile = std::make_unique<Tile>();
    while (find.step()) {
        decodeTile(find.blob(1), width, *tile);
        Nanos begin = find.integer(0) << tileWidthLog2;
        for (const TileBucket& bucket : *tile) {
            if (bucket.leadingKind != Kind::None) grid.add({begin, begin + width}, bucket, bucket.busyNs);
            begin += width;
        }
    }
}

}  // namespace

std::vector<Bucket> RunStore::buckets(Id track, Interval window, int columns)
{
    window = shifted(window, -m_state->shift);
    BucketGrid grid(window, columns);
    if (columns <= 0 || window.empty()) return grid.buckets();
    const auto shape = tileShape(database(), track);
    const auto level = shape ? levelFor(*shape, window, columns) : std::nullopt;
    if (level) {
        addTiles({database(), track, *shape, *level}, window, grid);
    } else {
        TrackReader reader(database(), track, {allKinds, window}, timeColumns);
        reader.wantNamed();
        while (const EventColumns* batch = reader.next()) grid.add(*batch);
    }
    return grid.buckets();
}

}  // namespace flowgauge::store
