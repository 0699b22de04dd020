// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/pause.h"

#include "analyzer/diagnoses/gap_cause.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;

/// Where no steps are known, that they stand is only seen of what lasts.
constexpr Nanos leastWithoutSteps = 1'000'000'000;

IntervalSet busyOf(const Subject& subject, const RankView& view)
{
    if (!subject.bySteps) return view.rank->compute.united(view.rank->communication).united(view.rank->waiting);
    return IntervalSet::of(view.windows);
}

/// Between two epochs another diagnosis looks.
IntervalSet bordersOf(const facts::RunFacts& run)
{
    std::vector<Interval> borders;
    for (std::size_t i = 1; i < run.epochs.size(); ++i) {
        const Nanos before = run.epochs[i - 1].when.end;
        const Nanos after = run.epochs[i].when.begin;
        borders.push_back({std::min(before, after), std::max(before, after) + 1});
    }
    return IntervalSet::of(std::move(borders));
}

/// When nobody does anything, between the first and the last thing that was done.
std::vector<Interval> pausesOf(const Subject& subject)
{
    IntervalSet busy;
    for (const RankView& view : subject.ranks) busy = busy.united(busyOf(subject, view));
    if (busy.empty()) return {};
    const Nanos least = subject.bySteps ? subject.medianWindow() : leastWithoutSteps;
    const IntervalSet borders = bordersOf(subject.run);
    const IntervalSet idleTime = IntervalSet::of({busy.extent()}).minus(busy);
    std::vector<Interval> pauses;
    for (const Interval idle : idleTime.intervals())
        if (idle.length() > least && borders.within({idle.begin - 1, idle.end + 1}).empty()) pauses.push_back(idle);
    return pauses;
}

}  // namespace

std::optional<findings::Finding> pauses(const Subject& subject)
{
    if (subject.run.everyStep() > 1) return std::nullopt;  // between two written steps are those that were left out
    findings::Finding finding;
    for (const Interval pause : pausesOf(subject)) {
        const GapEvidence evidence = evidenceOf(subject, pause, pause.length());
        const Nanos left = evidence.length - evidence.named();
        if (2 * left < evidence.length) continue;
        finding.amount += left;
        finding.details.emplace_back(findings::When{pause}, ": ", causeOf(evidence), ".");
        finding.evidence.push_back({subject.ranks.front().rank->rank, pause, "no rank is in a step"});
    }
    finding.outOf = subject.run.extent.length();
    if (finding.amount <= 0 || finding.outOf <= 0) return std::nullopt;
    constexpr std::size_t shown = 5;
    const auto count = static_cast<std::int64_t>(finding.evidence.size());
    if (finding.details.size() > shown) finding.details.resize(shown);
    finding.title = "Pauses within epochs";
    finding.outOfWhat = "the run";
    finding.ranks = subject.run.rankNumbers();
    finding.gain = {finding.share(), 0};
    finding.verdict =
        findings::Sentence("All ranks stand still ", findings::Count{count}, count == 1 ? " time" : " times", " within epochs, ",
                           findings::Duration{finding.amount / count}, " each; without that the run would be ", finding.gain, " shorter.");
    finding.advice = "Let what the job does there run beside its steps, or look at what held the hosts up at these times.";
    finding.toBeSure = "Marks of what the job does (phases shuffle, checkpoint, evaluation) would name a cause that is unknown.";
    return finding;
}

}  // namespace flowgauge::diagnoses
