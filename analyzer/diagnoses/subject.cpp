// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/subject.h"

#include "analyzer/diagnoses/replay.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

std::vector<Interval> windowsOf(const facts::RankFacts& rank, bool bySteps)
{
    std::vector<Interval> windows;
    if (bySteps)
        for (const facts::Step& step : rank.steps) windows.push_back(step.when);
    else if (!rank.extent.empty())
        windows.push_back(rank.extent);
    std::erase_if(windows, [](Interval window) { return window.empty(); });
    return windows;
}

}  // namespace

Subject::Subject(const facts::RunFacts& facts)
    : run(facts), meetings(facts::meetingsOf(facts.ranks, facts.clocks)), bySteps(facts.haveSteps())
{
    std::vector<std::vector<Interval>> awaited(facts.ranks.size());
    for (const facts::Meeting& meeting : meetings)
        for (std::size_t rank = 0; rank < awaited.size(); ++rank)
            if (const facts::CollectiveCall* call = meeting.calls[rank])
                awaited[rank].push_back({call->when.begin, std::min(call->when.end, meeting.lastArrivalFor(rank))});
    for (std::size_t i = 0; i < facts.ranks.size(); ++i) {
        const facts::RankFacts& rank = facts.ranks[i];
        RankView view{&rank, facts::PartSets(rank), windowsOf(rank, bySteps), facts::IntervalSet::of(std::move(awaited[i])), {}, {}};
        view.stallInReads = view.parts.inputStall.intersected(rank.reading);
        view.exposedAwaited = view.awaited.intersected(view.parts.exposedCommunication);
        ranks.push_back(std::move(view));
    }
}

Nanos Subject::windowTotal() const
{
    return totalOf([](const RankView&, Interval window) { return window.length(); });
}

double Subject::stepsOfRun() const
{
    const double all = static_cast<double>(run.extent.length()) * static_cast<double>(ranks.size());
    return all > 0 ? std::min(1.0, static_cast<double>(windowTotal()) / all) : 1.0;
}

Nanos Subject::medianWindow() const
{
    std::vector<Nanos> lengths;
    for (const RankView& view : ranks)
        for (const Interval window : view.windows) lengths.push_back(window.length());
    if (lengths.empty()) return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

std::vector<std::vector<double>> Subject::sharesOf(const Amount& amount) const
{
    std::vector<std::vector<double>> shares;
    for (const RankView& view : ranks) {
        shares.emplace_back();
        for (const Interval window : view.windows)
            shares.back().push_back(static_cast<double>(amount(view, window)) / static_cast<double>(window.length()));
    }
    return shares;
}

Nanos Subject::totalOf(const Amount& amount) const
{
    Nanos total = 0;
    for (const RankView& view : ranks)
        for (const Interval window : view.windows) total += amount(view, window);
    return total;
}

findings::Estimate Subject::gainOf(const Amount& amount) const
{
    const double all = static_cast<double>(windowTotal());
    return {all > 0 ? static_cast<double>(totalOf(amount)) / all : 0.0, findings::estimateOf(sharesOf(amount)).error};
}

const Replay& Subject::replay() const
{
    if (!m_replay) m_replay = std::make_shared<const Replay>(*this);
    return *m_replay;
}

}  // namespace flowgauge::diagnoses
