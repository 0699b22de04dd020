// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/own_cost.h"

namespace flowgauge::diagnoses {
namespace {

/// What we promise to stay below (design.md: a training job runs at most 1 % longer).
constexpr double promised = 0.01;
/// What starting up costs once; a share of a job that lasts a moment says nothing of one that lasts.
constexpr Nanos startUp = 20'000'000;

}  // namespace

std::optional<findings::Finding> ownCost(const Subject& subject)
{
    const facts::OwnCost& cost = subject.run.cost;
    if (!cost.jobCpuNs.known() || cost.jobCpuNs.value() <= 0) return std::nullopt;
    const double share = static_cast<double>(cost.cpuNs) / static_cast<double>(cost.jobCpuNs.value());
    if (share < promised || cost.cpuNs < startUp) return std::nullopt;
    findings::Finding finding;
    finding.title = "Cost of recording";
    finding.amount = cost.cpuNs;
    finding.outOf = cost.jobCpuNs.value();
    finding.outOfWhat = "processor time";
    finding.ranks = subject.run.rankNumbers();
    finding.where = "the whole run";
    finding.gain = {share, share / 2};  // processor time of a background thread need not be on the step's path
    finding.verdict = findings::Sentence("Our own threads took ", findings::Share{share}, " of the job's processor time.");
    finding.details.emplace_back(findings::Count{cost.events}, " events, ", findings::Bytes{static_cast<double>(cost.bytes)}, " written.");
    finding.advice = "Record fewer kinds (--kinds) or sample more slowly (--sample 1000).";
    return finding;
}

}  // namespace flowgauge::diagnoses
