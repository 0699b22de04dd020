// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/named_stall.h"

namespace flowgauge::diagnoses {
namespace {

facts::IntervalSet stepsOf(const facts::RankFacts& rank)
{
    std::vector<Interval> steps;
    for (const facts::Step& step : rank.steps) steps.push_back(step.when);
    return facts::IntervalSet::of(std::move(steps));
}

}  // namespace

std::optional<findings::Finding> namedStall(const Subject& subject, facts::Phase phase, double keeps)
{
    findings::Finding finding;
    std::vector<std::vector<double>> shares;
    for (const RankView& view : subject.ranks) {
        const facts::IntervalSet stands = view.rank->phase(phase).minus(stepsOf(*view.rank));
        const Nanos extent = view.rank->extent.length();
        if (extent <= 0) continue;
        finding.amount += stands.total();
        finding.outOf += extent;
        shares.push_back({(1 - keeps) * static_cast<double>(stands.total()) / static_cast<double>(extent)});
        if (finding.evidence.empty() && !stands.empty())
            for (const Interval stretch : stands.longest(3))
                finding.evidence.push_back({view.rank->rank, stretch, "marked as " + facts::nameOf(phase)});
    }
    if (finding.amount <= 0) return std::nullopt;
    finding.outOfWhat = "the run";
    finding.ranks = subject.run.rankNumbers();
    const findings::Estimate gain = findings::estimateOf(shares);
    finding.gain = findings::possible({gain.value, std::max(gain.error, gain.value / 2)}, finding.share());
    return finding;
}

}  // namespace flowgauge::diagnoses
