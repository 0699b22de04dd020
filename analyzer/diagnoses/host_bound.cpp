// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/host_bound.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// Idle of the GPU that is neither communication, copy nor waiting for data, and in which the host had not yet launched what came next.
Nanos lateIn(const RankView& view, Interval window)
{
    return view.rank->gpu.lateLaunch.totalWithin(window) + view.rank->gpu.afterSync.totalWithin(window);
}

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
    finding.gain = findings::possible(subject.gainOf(recoverable), finding.share());
    finding.verdict =
        findings::Sentence("The GPU is idle for ", findings::Share{finding.share()}, subject.bySteps ? " of the step" : " of the run",
                           " because its next work was launched only then; launching ahead would save up to ", finding.gain, ".");
    const Nanos synced =
        subject.totalOf([](const RankView& view, Interval window) { return view.rank->gpu.afterSync.totalWithin(window); });
    const Nanos all = subject.totalOf(lateIn);
    if (synced > 0)
        finding.details.emplace_back("For ", findings::Share{static_cast<double>(synced) / static_cast<double>(all)},
                                     " of it the host had waited for the GPU to finish before it launched on.");
    const auto most = std::max_element(subject.ranks.begin(), subject.ranks.end(), [](const RankView& left, const RankView& right) {
        return left.rank->gpu.lateLaunch.total() < right.rank->gpu.lateLaunch.total();
    });
    for (const Interval stretch : most->rank->gpu.lateLaunch.longest(3))
        finding.evidence.push_back({most->rank->rank, stretch, "no work was launched for the GPU"});
    finding.advice = 2 * synced > all
                         ? "Do not wait for the GPU in the step: no .item(), .cpu() or printing of losses, no synchronising copies."
                         : "Fewer and larger kernels (fusion, torch.compile), CUDA graphs, and a free processor for the launching thread.";
    return finding;
}

}  // namespace flowgauge::diagnoses
