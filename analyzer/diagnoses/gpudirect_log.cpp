// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/gpudirect_log.h"

namespace flowgauge::diagnoses {

std::optional<findings::Finding> stagedByNccl(const Subject& subject)
{
    const facts::GpuDirect& found = subject.run.gpuDirect;
    if (found.use != facts::GpuDirectUse::Staged && found.use != facts::GpuDirectUse::Mixed) return std::nullopt;
    const auto exposed = [](const RankView& view, Interval window) { return view.parts.exposedCommunication.totalWithin(window); };
    findings::Finding finding;
    finding.title = found.use == facts::GpuDirectUse::Mixed ? "GPUDirect partly in use" : "GPUDirect not in use";
    finding.amount = subject.totalOf(exposed);
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const auto staged = static_cast<double>(found.staged());
    const double whole = finding.share() * staged / (staged + static_cast<double>(found.direct()));
    // Between nothing and all of the exposed communication of those connections: how much faster they would be is not measured.
    finding.gain = findings::possible({whole / 2, whole / 2}, finding.share());
    finding.verdict =
        findings::Sentence(findings::Count{found.staged()}, " of ", findings::Count{found.staged() + found.direct()},
                           " of NCCL's connections between hosts pass through the hosts' memory; GPUDirect RDMA might save up to ",
                           findings::Share{whole}, ".");
    for (const std::string& evidence : found.evidence) finding.details.emplace_back(evidence, ".");
    finding.advice =
        "Load nvidia-peermem (or use a kernel with DMA-BUF) and let GPU and network card share a PCIe switch; NCCL_NET_GDR_LEVEL tells how "
        "far NCCL goes, NCCL_NET_GDR_READ whether it sends directly too.";
    finding.toBeSure = "A run with GPUDirect switched on for the same connections would show what it gains.";
    return finding;
}

std::vector<findings::Sentence> gpuDirectSentences(const facts::GpuDirect& found)
{
    std::vector<findings::Sentence> sentences;
    if (!found.spoken) return sentences;
    sentences.emplace_back("GPUDirect RDMA: ", std::string(nameOf(found.use)), ".");
    for (const std::string& evidence : found.evidence) sentences.emplace_back(evidence, ".");
    return sentences;
}

}  // namespace flowgauge::diagnoses
