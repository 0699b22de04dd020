// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/gpudirect.h"

#include "analyzer/diagnoses/gpudirect_log.h"
#include "analyzer/diagnoses/replay.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::diagnoses {
namespace {

constexpr std::int64_t hostToDevice = 1;  // as CUPTI numbers directions
constexpr std::int64_t deviceToHost = 2;
/// Copies to the host of at least this share of what is reduced: losses and metrics are a few bytes, gradients are all of it.
constexpr double gradientsPass = 0.5;

std::int64_t copied(const facts::RankFacts& rank, std::int64_t direction)
{
    const auto found = rank.gpu.copies.find(direction);
    return found == rank.gpu.copies.end() ? 0 : found->second.bytes;
}

}  // namespace

std::optional<findings::Finding> gpuDirect(const Subject& subject)
{
    if (auto told = stagedByNccl(subject)) return told;
    if (!subject.run.clocks.several()) return std::nullopt;
    std::int64_t reduced = 0;
    std::int64_t toHost = 0;
    std::int64_t toDevice = 0;
    for (const RankView& view : subject.ranks) {
        if (!view.rank->gpu.used) continue;
        reduced += view.rank->commBytes;
        toHost += copied(*view.rank, deviceToHost);
        toDevice += copied(*view.rank, hostToDevice);
    }
    const double least = gradientsPass * static_cast<double>(reduced);
    if (reduced <= 0 || static_cast<double>(toHost) < least || static_cast<double>(toDevice) < least) return std::nullopt;
    findings::Finding finding;
    finding.title = "GPUDirect not in use";
    finding.amount = subject.totalOf([](const RankView& view, Interval window) { return view.parts.exposedCopy.totalWithin(window); });
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const auto exposed = [](const RankView& view, Interval window) { return view.parts.exposedCopy.totalWithin(window); };
    finding.gain = findings::possible(subject.gainOf(exposed), finding.share());
    finding.verdict = findings::Sentence("Gradients pass through the hosts' memory: ", findings::Bytes{static_cast<double>(toHost)},
                                         " went from GPUs to hosts beside ", findings::Bytes{static_cast<double>(reduced)},
                                         " of communication; GPUDirect RDMA would save about ", finding.gain, ".");
    finding.advice =
        "Load nvidia-peermem (or use a kernel with DMA-BUF), let GPU and network card share a PCIe switch, and build MPI with CUDA "
        "support; NCCL_NET_GDR_LEVEL tells how far NCCL goes.";
    return finding;
}

}  // namespace flowgauge::diagnoses
