// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/exposed_communication.h"

#include "analyzer/diagnoses/whatif.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;

/// Less overlap than this is none: a bucket and backward's end may touch by accident.
constexpr double someOverlap = 0.02;

/// Collectives that begin inside a window; the calls are in order of begin.
std::int64_t collectivesIn(const facts::RankFacts& rank, Interval window)
{
    const auto beginsBefore = [](const facts::CollectiveCall& call, Nanos t) { return call.when.begin < t; };
    const auto first = std::lower_bound(rank.collectives.begin(), rank.collectives.end(), window.begin, beginsBefore);
    return std::lower_bound(first, rank.collectives.end(), window.end, beginsBefore) - first;
}

/// How many operations a window has. Where only kernels tell of them, an uninterrupted stretch counts as one.
std::int64_t operationsIn(const facts::RankFacts& rank, Interval window)
{
    if (!rank.collectives.empty()) return collectivesIn(rank, window);
    return static_cast<std::int64_t>(rank.communication.within(window).intervals().size());
}

/// What perfect overlap would take out of one step of one rank.
Nanos savedByOverlap(const RankView& view, Interval step)
{
    const Nanos exposed = view.parts.exposedCommunication.totalWithin(step);
    const Nanos transfer = exposed - view.exposedAwaited.totalWithin(step);
    const std::int64_t calls = std::max<std::int64_t>(operationsIn(*view.rank, step), 1);
    const Nanos afterBackward = transfer / calls;
    const Nanos hidden = view.rank->communication.totalWithin(step) - exposed;
    const Nanos roomToHide = view.parts.compute.totalWithin(step) - hidden;
    return std::max<Nanos>(0, std::min(transfer - afterBackward, roomToHide));
}

/// The longest stretches of the rank with most exposed communication.
void addEvidence(const Subject& subject, findings::Finding& finding)
{
    const RankView* most = nullptr;
    for (const RankView& view : subject.ranks)
        if (most == nullptr || view.parts.exposedCommunication.total() > most->parts.exposedCommunication.total()) most = &view;
    for (const Interval stretch : most->parts.exposedCommunication.longest(3))
        finding.evidence.push_back({most->rank->rank, stretch, "communication that no compute hides"});
}

void describe(const Subject& subject, double overlap, findings::Finding& finding)
{
    const bool none = overlap < someOverlap;
    const findings::Share share{finding.share()};
    finding.title = none ? "No overlap" : "Exposed communication";
    finding.verdict =
        findings::Sentence(none ? "Communication does not overlap compute and is exposed for " : "Communication is exposed for ", share,
                           subject.bySteps ? " of the step" : " of the run", "; overlapping it would save about ", finding.gain, ".");
    const Nanos awaited = subject.totalOf([](const RankView& view, Interval window) { return view.exposedAwaited.totalWithin(window); });
    finding.details.emplace_back("Overlap is ", findings::Share{overlap}, " of communication time; ", findings::Duration{awaited},
                                 " of the exposed ", findings::Duration{finding.amount}, " is waiting for the last rank to arrive.");
    finding.advice = none ? "Reduce each bucket as soon as its gradients are ready, while backward goes on (DDP does; a reduction after "
                            "backward does not)."
                          : "Start reductions earlier or make them smaller: smaller buckets, 16-bit gradients, fewer steps per reduction.";
    finding.toBeSure = "A faster link or a smaller model would show whether the transfer or its start is what costs.";
}

}  // namespace

std::optional<findings::Finding> exposedCommunication(const Subject& subject)
{
    const bool known =
        std::all_of(subject.ranks.begin(), subject.ranks.end(), [](const RankView& view) { return view.rank->computeKnown.known(); });
    const Nanos exposed =
        subject.totalOf([](const RankView& view, Interval window) { return view.parts.exposedCommunication.totalWithin(window); });
    if (!known || exposed <= 0) return std::nullopt;
    const Nanos communication =
        subject.totalOf([](const RankView& view, Interval window) { return view.rank->communication.totalWithin(window); });
    findings::Finding finding;
    finding.amount = exposed;
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const auto replayed = gainOfOverlap(subject);  // where ranks meet: what each waits for is then known
    finding.gain = findings::possible(replayed ? *replayed : subject.gainOf(savedByOverlap), finding.share());
    describe(subject, static_cast<double>(communication - exposed) / static_cast<double>(communication), finding);
    addEvidence(subject, finding);
    return finding;
}

}  // namespace flowgauge::diagnoses
