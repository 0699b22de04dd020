// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/congestion.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// A tick of port_xmit_wait is the device's own; on EDR and later, 8 bytes at line rate: below a nanosecond. So many ticks a second are
/// a tenth of a port's time at 100 Gb/s (1.56e9 ticks a second).
constexpr double manyTicksPerSecond = 1.5e8;

}  // namespace

std::optional<findings::Finding> congestion(const Subject& subject)
{
    const double seconds = static_cast<double>(subject.run.extent.length()) / 1e9;
    if (seconds <= 0) return std::nullopt;
    findings::Finding finding;
    for (const facts::Trouble& trouble : subject.run.trouble.troubles) {
        if (trouble.counter != Counter::IbTxWait || trouble.grown < manyTicksPerSecond * seconds) continue;
        finding.details.emplace_back(trouble.place, " on ", trouble.host, " waited for credit ",
                                     findings::PerSecond{trouble.grown / seconds}, " ticks a second.");
    }
    if (finding.details.empty()) return std::nullopt;
    finding.amount =
        subject.totalOf([](const RankView& view, Interval window) { return view.parts.exposedCommunication.totalWithin(window); });
    finding.title = "Congestion";
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const double half = finding.share() / 2;
    finding.gain = findings::possible({half, half}, finding.share());
    finding.verdict = findings::Sentence("Ports had data to send and no credit: the network or a receiver behind it is congested. At most ",
                                         findings::Share{finding.share()}, " of the time waits for communication.");
    finding.toBeSure = "How long a tick is differs between devices: `perfquery -c` shows it.";
    finding.advice = "Look for other jobs on the same links, for routing that puts flows on one link, and for slow receivers.";
    return finding;
}

}  // namespace flowgauge::diagnoses
