// SPDX-License-Identifier: MIT
#include "gui/load/search.h"

#include "collector/store/flat_index.h"
#include "collector/store/named_columns.h"
#include "gui/load/parallel_scan.h"
#include "gui/load/strips.h"
#include "gui/timeline/selection_stats.h"

#include <algorithm>

namespace flowgauge::load {

namespace {

/// Which names a filter admits, each asked once.
class Matcher {
public:
    Matcher(store::RunStore& store, const timeline::EventFilter& filter) : m_store(&store), m_filter(filter) {}
    bool admits(Kind kind, store::Id name)
    {
        if (kind == Kind::CounterSample) return false;
        const std::size_t number = m_index[store::kindNameKey(kind, name)];
        if (number == m_known.size()) m_known.push_back(m_filter.admitsName(nameText(*m_store, kind, name), rowOf(kind).sqlName));
        return m_known[number];
    }
    [[nodiscard]] const timeline::EventFilter& filter() const { return m_filter; }

private:
    store::RunStore* m_store;
    timeline::EventFilter m_filter;
    store::FlatIndex m_index;
    std::vector<bool> m_known;
};

std::optional<Hit> findIn(store::RunStore& store, const SearchQuestion& question, Interval window, Matcher& matcher, const Cancel& cancel)
{
    std::optional<Hit> best;
    store.scan({{}, question.tracks, window}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) {
            if (!window.contains(event.begin) || !matcher.filter().admitsFigures(event.end - event.begin, timeline::bytesOf(event)))
                continue;
            const bool better = !best || (question.forward ? event.begin < best->bar.event.begin : event.begin > best->bar.event.begin);
            if (!better || !matcher.admits(event.kind, timeline::nameOf(event))) continue;
            best = Hit{track.id, barOf(store, track.id, event)};
        }
        return !cancel->load();
    });
    return best;
}

/// Counts what a filter admits on one connection.
class Counter {
public:
    Counter(store::RunStore& store, const SearchQuestion& question) : m_matcher(store, question.filter), m_whole(question.whole) {}
    void add(const store::EventColumns& batch)
    {
        store::NamedColumns columns(batch);
        const double slicesPerNs = static_cast<double>(HitCount::slices) / static_cast<double>(std::max<Nanos>(1, m_whole.length()));
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Kind kind = columns.kind(i);
            const bool moves = store::kindColumns[static_cast<std::size_t>(kind)].bytes < 4;
            if (!m_matcher.filter().admitsFigures(batch.duration(i), moves ? columns.bytes(i) : -1)) continue;
            if (!m_matcher.admits(kind, columns.name(i))) continue;
            ++m_hits.count;
            const double slice = static_cast<double>(batch.begin(i) - m_whole.begin) * slicesPerNs;
            ++m_hits.bySlice[static_cast<std::size_t>(std::clamp(slice, 0.0, static_cast<double>(HitCount::slices - 1)))];
        }
    }
    Counter& operator+=(const Counter& other)
    {
        m_hits.count += other.m_hits.count;
        for (std::size_t i = 0; i < HitCount::slices; ++i) m_hits.bySlice[i] += other.m_hits.bySlice[i];
        return *this;
    }
    [[nodiscard]] const HitCount& hits() const { return m_hits; }

private:
    Matcher m_matcher;
    Interval m_whole;
    HitCount m_hits;
};

}  // namespace

std::optional<Hit> findEvent(store::RunStore& store, const SearchQuestion& question, const Cancel& cancel)
{
    if (question.tracks.empty()) return std::nullopt;
    Matcher matcher(store, question.filter);
    Nanos length = 50'000'000;
    Nanos edge = question.from;
    // Windows grow as they come up empty, so that a near hit is found at once and a far one in few passes.
    while (!*cancel && (question.forward ? edge < question.whole.end : edge > question.whole.begin)) {
        const Interval window = question.forward ? Interval{edge, std::min(edge + length, question.whole.end + 1)}
                                                 : Interval{std::max(edge - length, question.whole.begin), edge};
        if (auto hit = findIn(store, question, window, matcher, cancel)) return hit;
        edge = question.forward ? window.end : window.begin;
        length *= 4;
    }
    return std::nullopt;
}

HitCount countEvents(store::RunStore& store, const SearchQuestion& question, const Cancel& cancel)
{
    const ScanQuestion scan{question.tracks, {question.whole.begin, question.whole.end + 1}};
    ParallelScan counting(store, scan, cancel, [&question](store::RunStore& on) { return Counter(on, question); });
    HitCount hits = counting.sum().hits();
    hits.whole = !*cancel;
    return hits;
}

std::vector<store::Id> tracksFor(const RunSnapshot& run, const timeline::EventFilter& filter, const std::vector<store::Id>& shown)
{
    std::vector<store::Id> tracks;
    for (const store::Id id : shown) {
        const TrackInfo* track = run.track(id);
        if (track != nullptr && filter.admitsRank(track->rank.value_or(-1))) tracks.push_back(id);
    }
    return tracks;
}

}  // namespace flowgauge::load
