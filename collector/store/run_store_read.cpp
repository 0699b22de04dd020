// SPDX-License-Identifier: MIT
#include "collector/store/bucket_grid.h"
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"
#include "collector/store/track_reader.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

bool asksFor(const EventQuery& query, Id track)
{
    return query.tracks.empty() || std::find(query.tracks.begin(), query.tracks.end(), track) != query.tracks.end();
}

KindBits bitsOf(const std::vector<Kind>& kinds)
{
    KindBits bits = kinds.empty() ? allKinds : 0;
    for (const Kind kind : kinds) bits |= bitOf(kind);
    return bits;
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

void RunStore::scan(const EventQuery& query, const std::function<bool(const TrackRow&, std::span<const StoredEvent>)>& visit)
{
    const ChunkFilter filter{bitsOf(query.kinds), query.window};
    std::vector<StoredEvent> kept;
    for (const TrackRow& track : tracks()) {
        if (!asksFor(query, track.id)) continue;
        TrackReader reader(database(), track.id, filter);
        while (const EventColumns* batch = reader.next()) {
            keepAskedFor(*batch, filter, kept);
            if (!kept.empty() && !visit(track, kept)) return;
        }
    }
}

std::vector<Bucket> RunStore::buckets(Id track, Interval window, int columns)
{
    BucketGrid grid(window, columns);
    TrackReader reader(database(), track, {allKinds, window});
    while (const EventColumns* batch = reader.next()) grid.add(*batch);
    return grid.buckets();
}

}  // namespace flowgauge::store
