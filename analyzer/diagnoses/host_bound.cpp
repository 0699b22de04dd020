// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/host_bound.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// Idle of the GPU that is neither communication, copy nor waiting for data, and in which the host had not yet launched what came next.
Nanos lateIn(const RankView& view, Interval window) { return view.rank->gpu.lateLaunch.totalWithin(window); }

Nanos recoverable(const RankView& view, Interval window)
{
    const facts::TimeParts parts = view.parts.within(window);
    return std::min(lateIn(view, window), parts.otherIdle);
}

}  // namespace

std::optional<findings::Finding> hostBound(const Subject& subject)
{
    const Nanos late = subject.totalOf(recoverable);
    if (late <= 0) return std::nullopt;
    findings::Finding finding;
    finding.title = "Host-bound launches";
    finding.amount = late;
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    finding.gain = findings::possible(findings::estimateOf(subject.sharesOf(recoverable)), finding.share());
    finding.verdict =
        findings::Sentence("The GPU is idle for ", findings::Share{finding.share()}, subject.bySteps ? " of the step" : " of the run",
                           " because its next work was launched only then; launching ahead would save up to ", finding.gain, ".");
    const RankView& view = subject.ranks.front();
    for (const Interval stretch : view.rank->gpu.lateLaunch.longest(3))
        finding.evidence.push_back({view.rank->rank, stretch, "no work was launched for the GPU"});
    finding.advice =
        "Fewer and larger kernels (fusion, torch.compile), CUDA graphs, no synchronisation or .item() in the step, and a free processor "
        "for the launching thread.";
    return finding;
}

}  // namespace flowgauge::diagnoses
