// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/late_bucket.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// Below this share of overlap nothing is hidden, and the last reduction is not the one to mend (exposed_communication tells).
constexpr double overlaps = 0.3;
/// When the last reduction of a step makes up this share of what is exposed.
constexpr double isTheLast = 0.6;
/// Pieces of a quarter hide three quarters (DDP's own first bucket is 1 MiB of 25).
constexpr double hiddenByQuarters = 0.75;

/// The step's last collective, if there is more than one, from when the one before was through: until then it waits for the wire.
Interval lastIn(const facts::RankFacts& rank, Interval step)
{
    const auto before = [](const facts::CollectiveCall& call, Nanos t) { return call.when.begin < t; };
    const auto first = std::lower_bound(rank.collectives.begin(), rank.collectives.end(), step.begin, before);
    const auto end = std::lower_bound(first, rank.collectives.end(), step.end, before);
    if (end - first < 2) return {};
    const Interval last = std::prev(end)->when;
    return {std::max(last.begin, std::prev(end, 2)->when.end), std::min(last.end, step.end)};
}

/// Exposed transfer of the step's last collective: waiting for a late rank is not its fault.
Nanos exposedLast(const RankView& view, Interval step)
{
    const Interval when = lastIn(*view.rank, step);
    if (when.empty()) return 0;
    return view.parts.exposedCommunication.totalWithin(when) - view.exposedAwaited.totalWithin(when);
}

Nanos exposedTransfer(const RankView& view, Interval step)
{
    return view.parts.exposedCommunication.totalWithin(step) - view.exposedAwaited.totalWithin(step);
}

Nanos saved(const RankView& view, Interval step)
{
    return static_cast<Nanos>(hiddenByQuarters * static_cast<double>(exposedLast(view, step)));
}

}  // namespace

std::optional<findings::Finding> lateBucket(const Subject& subject)
{
    if (!subject.bySteps) return std::nullopt;
    const Nanos communication =
        subject.totalOf([](const RankView& view, Interval step) { return view.rank->communication.totalWithin(step); });
    const Nanos all =
        subject.totalOf([](const RankView& view, Interval step) { return view.parts.exposedCommunication.totalWithin(step); });
    const Nanos transfer = subject.totalOf(exposedTransfer);
    const Nanos last = subject.totalOf(exposedLast);
    const bool hides = static_cast<double>(communication - all) >= overlaps * static_cast<double>(communication);
    if (communication <= 0 || !hides || last <= 0 || static_cast<double>(last) < isTheLast * static_cast<double>(transfer))
        return std::nullopt;
    findings::Finding finding;
    finding.title = "Late last bucket";
    finding.amount = last;
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const findings::Estimate gain = subject.gainOf(saved);
    finding.gain = findings::possible({gain.value, std::max(gain.error, gain.value / 3)}, finding.share());
    finding.verdict = findings::Sentence("The last reduction of a step is not hidden and takes ", findings::Share{finding.share()},
                                         " of it; in smaller pieces about ", finding.gain, " would be saved.");
    finding.details.emplace_back("It is ", findings::Share{static_cast<double>(last) / static_cast<double>(transfer)},
                                 " of all exposed transfer; the reductions before it overlap compute.");
    const RankView& view = subject.ranks.front();
    for (const Interval stretch : view.parts.exposedCommunication.longest(1))
        finding.evidence.push_back({view.rank->rank, stretch, "communication that no compute hides"});
    finding.advice =
        "Make the bucket of the first layers smaller (DDP: bucket_cap_mb; Horovod: HOROVOD_FUSION_THRESHOLD), so that less is left when "
        "backward ends.";
    return finding;
}

}  // namespace flowgauge::diagnoses
