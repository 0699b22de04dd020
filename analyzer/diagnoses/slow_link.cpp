// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/slow_link.h"

#include "analyzer/diagnoses/replay.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::diagnoses {

/// On one host reductions go through memory, where no link can be bought.
std::optional<findings::Finding> slowLink(const Subject& subject)
{
    if (!subject.run.clocks.several() || !subject.bySteps) return std::nullopt;
    const Replay& replay = subject.replay();
    const double now = replay.possible() ? replay.timeOf({}) : 0;
    if (now <= 0 || replay.wireBytesPerSecond() <= 0) return std::nullopt;
    Change twice;
    twice.linkTimes = 2;
    const double share = 1 - replay.timeOf(twice) / now;
    if (share <= 0) return std::nullopt;
    findings::Finding finding;
    finding.title = "Slow link for the bytes";
    finding.amount = subject.totalOf([](const RankView& view, Interval step) {
        return view.parts.exposedCommunication.totalWithin(step) - view.exposedAwaited.totalWithin(step);
    });
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    finding.gain = findings::possible({share, std::abs(now / replay.recorded() - 1)}, finding.share());
    finding.verdict = findings::Sentence("Moving gradients between hosts takes ", findings::Share{finding.share()},
                                         " of the step and is not hidden; a link twice as fast would save about ", finding.gain, ".");
    finding.details.emplace_back("Large reductions move ", findings::BytesPerSecond{replay.wireBytesPerSecond()},
                                 " over each rank's wire (busbw).");
    finding.advice =
        "Use the fastest network the hosts have (NCCL_SOCKET_IFNAME, NCCL_IB_HCA; UCX_NET_DEVICES), reduce in 16 bits, or overlap.";
    finding.toBeSure = "Compare with the link's rated speed: `flowgauge doctor` shows it.";
    return finding;
}

}  // namespace flowgauge::diagnoses
