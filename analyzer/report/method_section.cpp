// SPDX-License-Identifier: MIT
#include "analyzer/report/method_section.h"

#include "analyzer/report/clock_text.h"
#include "analyzer/report/units.h"

namespace flowgauge::report {
namespace {

std::string costText(const findings::Cost& cost)
{
    return (cost.cpuShare.known() ? share(cost.cpuShare.value()) + " of the job's processor time"
                                  : "processor time not measured (" + cost.cpuShare.reason() + ")") +
           ", " + asBytes(cost.bytesWritten) + " written, " + count(cost.lost) + " of " + count(cost.events + cost.lost) + " events lost.";
}

/// "what (why): open question; what (why)"
std::string termOf(const std::vector<findings::NotMeasured>& rows)
{
    std::string text;
    for (const findings::NotMeasured& row : rows)
        text += (text.empty() ? "" : "; ") + row.what + (row.why.empty() ? "" : " (" + row.why + ")") +
                (row.question.empty() ? "" : ": " + row.question);
    return text;
}

}  // namespace

Section methodSection(const findings::RunSummary& summary)
{
    Section section{"method", "Method and limits", {}};
    const std::string absent = termOf(summary.notMeasured), degraded = termOf(summary.degraded);
    section.blocks.push_back(Terms{
        {{"Not measured", absent.empty() ? "Everything this program can measure was measured." : absent + "."},
         {"Degraded", degraded.empty() ? "Nothing was measured less well than it could have been." : degraded + "."},
         {"Cost of recording", costText(summary.cost)},
         {"Clocks", summary.clocks.empty() ? "All ranks ran on one host." : clockText(summary.clocks)},
         {"Parts of time",
          "Compute is the union of GPU kernels that are not communication, or of the marked compute phases. Exposed "
          "communication is communication while no compute runs; input stall is waiting for data while neither runs. "
          "The five parts always add up to the whole."},
         {"Bytes",
          "Asked is what read calls returned. Fetched is what storage had to deliver: NFS bytes over the wire, otherwise the "
          "processes' own storage reads. The difference came from the page cache. Differences are shown, never forced to zero."},
         {"Ports",
          "Gradients are what the collectives between hosts must move, as NCCL counted or told it, else as one flat ring over all ranks, "
          "of which other algorithms may move less or more; they lie on the ports that move both "
          "ways. Storage is what NFS clients counted; it lies on the ports that receive more than they send. Headers are the least "
          "that the counted packets carry. What is unexplained is shown, and below zero where more was expected than moved."},
         {"Gain",
          "What the whole (named beside the amount) would shrink by if this one thing were fixed. Gains of several findings do not "
          "add up; ± is the spread over steps and ranks."}}});
    return section;
}

}  // namespace flowgauge::report
