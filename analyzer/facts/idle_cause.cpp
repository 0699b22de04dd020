// SPDX-License-Identifier: MIT
#include "analyzer/facts/idle_cause.h"

#include <algorithm>
#include <unordered_map>

namespace flowgauge::facts {
namespace {

using store::StoredEvent;
using store::TrackRow;

/// A stretch without work on any stream, and the correlation of what ends it.
struct Gap {
    Interval when;
    store::Id process = 0;
    std::uint64_t link = 0;
    Nanos launched = -1;  ///< begin of the call; -1 not recorded
};

/// Between the pieces of what was busy; what lies before and behind is no gap.
std::vector<Gap> gapsOf(const IntervalSet& busy)
{
    std::vector<Gap> gaps;
    const std::vector<Interval>& pieces = busy.intervals();
    for (std::size_t i = 1; i < pieces.size(); ++i) gaps.push_back({{pieces[i - 1].end, pieces[i].begin}});
    return gaps;
}

using Gaps = std::vector<std::vector<Gap>>;  ///< by rank, in order of time

void findWhatEndsThem(store::RunStore& store, const Layout& layout, Gaps& gaps)
{
    store.scan(layout.query({Kind::Kernel, Kind::GpuCopy, Kind::GpuFill}), [&](const TrackRow& track, std::span<const StoredEvent> events) {
        const auto rank = layout.rankOf(track);
        if (!rank || gaps[*rank].empty()) return true;
        auto gap = std::lower_bound(gaps[*rank].begin(), gaps[*rank].end(), events.front().begin,
                                    [](const Gap& left, Nanos t) { return left.when.end < t; });
        for (const StoredEvent& event : events) {
            while (gap != gaps[*rank].end() && gap->when.end < event.begin) ++gap;
            if (gap == gaps[*rank].end()) break;
            if (gap->when.end != event.begin || gap->link != 0) continue;
            gap->link = event.link;
            gap->process = track.key.process;
        }
        return true;
    });
}

/// Where the launches of gaps are looked for.
class Calls {
public:
    Calls(store::RunStore& store, Gaps& gaps) : m_store(store), m_wanted(gaps.size()), m_waiting(gaps.size())
    {
        for (std::size_t rank = 0; rank < gaps.size(); ++rank)
            for (Gap& gap : gaps[rank])
                if (gap.link != 0) m_wanted[rank].emplace(gap.process ^ static_cast<std::int64_t>(gap.link << 20), &gap);
    }

    void run(const Layout& layout)
    {
        m_store.scan(layout.query({Kind::GpuApi, Kind::GpuSync}), [&](const TrackRow& track, std::span<const StoredEvent> events) {
            const auto rank = layout.rankOf(track);
            if (!rank) return true;
            for (const StoredEvent& event : events) take(event, track.key.process, *rank);
            return true;
        });
    }
    [[nodiscard]] IntervalSet takeWaiting(std::size_t rank) { return IntervalSet::of(std::move(m_waiting[rank])); }

private:
    void take(const StoredEvent& event, store::Id process, std::size_t rank)
    {
        constexpr std::int64_t streamWaitsForEvent = 2;  // on the GPU: no thread waits
        const bool waits = event.kind == Kind::GpuSync ? event.arg[0] != streamWaitsForEvent : isWaiting(event.arg[0]);
        if (waits) m_waiting[rank].push_back({event.begin, event.end});
        if (event.kind != Kind::GpuApi || event.link == 0) return;
        const auto [first, last] = m_wanted[rank].equal_range(process ^ static_cast<std::int64_t>(event.link << 20));
        for (auto at = first; at != last; ++at)
            if (at->second->process == process && at->second->link == event.link) at->second->launched = event.begin;
    }
    bool isWaiting(store::Id name)
    {
        const auto [known, isNew] = m_names.try_emplace(name, false);
        if (isNew) known->second = waitsForGpu(m_store.nameText(name));
        return known->second;
    }

    store::RunStore& m_store;
    std::vector<std::unordered_multimap<std::int64_t, Gap*>> m_wanted;  ///< by rank; the key is a mixture, both parts are compared
    std::vector<std::vector<Interval>> m_waiting;                       ///< by rank
    std::unordered_map<store::Id, bool> m_names;
};

void judge(const std::vector<Gap>& gaps, const IntervalSet& waiting, GpuFacts& gpu)
{
    bool any = gaps.empty();
    for (const Gap& gap : gaps) {
        if (gap.launched < 0) continue;
        any = true;
        if (gap.launched <= gap.when.begin) continue;
        // The wait is over when the GPU has caught up, give or take what the clocks of both differ by.
        const bool waited = !waiting.within({gap.when.begin, gap.when.begin + 1}).empty();
        (waited ? gpu.afterSync : gpu.lateLaunch).append(gap.when);
    }
    gpu.launchesKnown = any ? Measured<bool>(true) : Measured<bool>::missing("no calls of CUDA recorded");
}

}  // namespace

bool waitsForGpu(std::string_view call)
{
    if (call.find("Synchronize") != std::string_view::npos) return true;
    const std::size_t copy = call.find("Memcpy");
    return copy != std::string_view::npos && call.find("Async") == std::string_view::npos && call.find("Batch") == std::string_view::npos;
}

void findIdleCauses(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks)
{
    Gaps gaps(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (!ranks[i].gpu.used) continue;
        const IntervalSet busy = ranks[i].compute.united(ranks[i].communication).united(ranks[i].copy);
        gaps[i] = gapsOf(busy);
    }
    findWhatEndsThem(store, layout, gaps);
    Calls calls(store, gaps);
    calls.run(layout);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (ranks[i].gpu.used) judge(gaps[i], calls.takeWaiting(i), ranks[i].gpu);
}

}  // namespace flowgauge::facts
