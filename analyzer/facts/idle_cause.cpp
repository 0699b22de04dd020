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
    Nanos ranDry = 0;  ///< end of the last work before it: later than its begin where the pieces of a large run were pushed together
    store::Id process = 0;
    std::uint64_t link = 0;
    Nanos launched = -1;  ///< begin of the call; -1 not recorded
};

/// Between the pieces of what was busy; what lies before and behind is no gap.
std::vector<Gap> gapsOf(const IntervalSet& busy)
{
    std::vector<Gap> gaps;
    const std::vector<Interval>& pieces = busy.intervals();
    for (std::size_t i = 1; i < pieces.size(); ++i) gaps.push_back({{pieces[i - 1].end, pieces[i].begin}, pieces[i - 1].end});
    return gaps;
}

void findWhatEndsThem(store::RunStore& store, const Layout& layout, std::size_t group, std::vector<Gap>& gaps)
{
    const std::vector<Kind> work{Kind::Kernel, Kind::GpuCopy, Kind::GpuFill};
    layout.scan(store, group, work, [&](const TrackRow& track, std::span<const StoredEvent> events) {
        auto gap =
            std::lower_bound(gaps.begin(), gaps.end(), events.front().begin, [](const Gap& left, Nanos t) { return left.when.end < t; });
        for (const StoredEvent& event : events) {
            while (gap != gaps.end() && gap->when.end < event.begin) ++gap;
            if (gap == gaps.end()) break;
            if (event.begin < gap->when.end) gap->ranDry = std::max(gap->ranDry, std::min(layout.clipped(event).end, gap->when.end));
            if (gap->when.end != event.begin || gap->link != 0) continue;
            gap->link = event.link;
            gap->process = track.key.process;
        }
    });
}

/// Where the launches of gaps are looked for.
class Calls {
public:
    Calls(store::RunStore& store, std::vector<Gap>& gaps) : m_store(store)
    {
        for (Gap& gap : gaps)
            if (gap.link != 0) m_wanted.emplace(keyOf(gap.process, gap.link), &gap);
    }

    void run(const Layout& layout, std::size_t group)
    {
        layout.scan(m_store, group, {Kind::GpuApi, Kind::GpuSync}, [&](const TrackRow& track, std::span<const StoredEvent> events) {
            for (const StoredEvent& event : events) take(event, track.key.process);
        });
    }
    [[nodiscard]] IntervalSet takeWaiting() { return IntervalSet::of(std::move(m_waiting)); }

private:
    /// A mixture: both parts are compared where it is found.
    [[nodiscard]] static std::int64_t keyOf(store::Id process, std::uint64_t link)
    {
        return process ^ static_cast<std::int64_t>(link << 20);
    }
    void take(const StoredEvent& event, store::Id process)
    {
        constexpr std::int64_t streamWaitsForEvent = 2;  // on the GPU: no thread waits
        const bool waits = event.kind == Kind::GpuSync ? event.arg[0] != streamWaitsForEvent : isWaiting(event.arg[0]);
        if (waits) m_waiting.push_back({event.begin, event.end});
        if (event.kind != Kind::GpuApi || event.link == 0) return;
        const auto [first, last] = m_wanted.equal_range(keyOf(process, event.link));
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
    std::unordered_multimap<std::int64_t, Gap*> m_wanted;
    std::vector<Interval> m_waiting;
    std::unordered_map<store::Id, bool> m_names;
};

void judge(const std::vector<Gap>& gaps, const IntervalSet& waiting, GpuFacts& gpu)
{
    bool any = gaps.empty();
    for (const Gap& gap : gaps) {
        if (gap.launched < 0) continue;
        any = true;
        if (gap.launched <= gap.ranDry) continue;
        // The wait is over when the GPU has caught up, give or take what the clocks of both differ by.
        const bool waited = !waiting.within({gap.ranDry, gap.ranDry + 1}).empty();
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

void findIdleCauses(store::RunStore& store, const Layout& layout, std::size_t group, RankFacts& rank)
{
    if (!rank.gpu.used) return;
    std::vector<Gap> gaps = gapsOf(rank.compute.united(rank.communication).united(rank.copy));
    findWhatEndsThem(store, layout, group, gaps);
    Calls calls(store, gaps);
    calls.run(layout, group);
    judge(gaps, calls.takeWaiting(), rank.gpu);
}

}  // namespace flowgauge::facts
