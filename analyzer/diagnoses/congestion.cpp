// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/congestion.h"

#include <algorithm>
#include <array>

namespace flowgauge::diagnoses {
namespace {

/// A tick of port_xmit_wait is the device's own; on EDR and later, 8 bytes at line rate: below a nanosecond. So many ticks a second are
/// a tenth of a port's time at 100 Gb/s (1.56e9 ticks a second).
constexpr double manyTicksPerSecond = 1.5e8;
/// A notification halves a flow's rate for some 50 us: as many a second keep a port slow. Ours; operators publish none.
constexpr double manyNotificationsPerSecond = 100;
/// A tenth of the time.
constexpr double muchPausePerSecond = 1e5;
/// For drivers that do not count the time: at 10 Gb/s a pause frame may silence a port for 3.4 ms, at 100 Gb/s for 0.34 ms.
constexpr double manyPausesPerSecond = 100;
/// mlx5 counts a second in which PCIe held the adapter up for more than 30 %: one in ten.
constexpr double manyStallsPerSecond = 0.1;

struct WaitRow {
    Counter counter;
    double from;  ///< a second
    const char *before, *behind;
};
constexpr std::array waitRows{
    WaitRow{Counter::IbTxWait, manyTicksPerSecond, " waited for credit ", " ticks a second."},
    WaitRow{Counter::IbCnpHandled, manyNotificationsPerSecond, " was throttled by ", " congestion notifications a second (ECN)."},
    WaitRow{Counter::NicRxPausedUs, muchPausePerSecond, " was kept silent by pause frames for ", " us of each second."},
    WaitRow{Counter::NicRxPauses, manyPausesPerSecond, " was paused by ", " frames a second."},
    WaitRow{Counter::NicTxPausedUs, muchPausePerSecond, " could not take what came, and kept the far side silent for ",
            " us of each second."},
    WaitRow{Counter::NicTxPauses, manyPausesPerSecond, " could not take what came, and sent ", " pause frames a second."},
    WaitRow{Counter::NicPciStallsReading, manyStallsPerSecond, " waited for PCIe to read from memory in ", " of each second."},
    WaitRow{Counter::NicPciStallsWriting, manyStallsPerSecond, " waited for PCIe to write to memory in ", " of each second."},
};

}  // namespace

std::optional<findings::Finding> congestion(const Subject& subject)
{
    const double seconds = static_cast<double>(subject.run.extent.length()) / 1e9;
    if (seconds <= 0) return std::nullopt;
    findings::Finding finding;
    for (const facts::Trouble& trouble : subject.run.trouble.troubles) {
        const auto row = std::find_if(waitRows.begin(), waitRows.end(), [&](const WaitRow& one) { return one.counter == trouble.counter; });
        if (row == waitRows.end() || trouble.grown < row->from * seconds) continue;
        finding.details.emplace_back(trouble.place, " on ", trouble.host, row->before, findings::PerSecond{trouble.grown / seconds},
                                     row->behind);
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
    finding.verdict =
        findings::Sentence("Ports were held back, or held others back: the network or a receiver behind it is congested. At most ",
                           findings::Share{finding.share()}, " of the time waits for communication.");
    finding.toBeSure = "How long a tick of waiting is differs between devices: `perfquery -c` shows it.";
    finding.advice = "Look for other jobs on the same links, for routing that puts flows on one link, and for slow receivers.";
    return finding;
}

}  // namespace flowgauge::diagnoses
