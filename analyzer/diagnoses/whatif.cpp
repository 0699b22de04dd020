// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/whatif.h"

#include "analyzer/diagnoses/shuffle_gap.h"
#include "analyzer/diagnoses/stall_cause.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::diagnoses {
namespace {

/// Share of the time in reads that does not wait for storage: what a warm cache leaves.
double keptByCache(const Stall& stall)
{
    if (stall.reads.time <= 0) return 1;
    return 1 - std::min(1.0, static_cast<double>(stall.reads.waitedNs) / static_cast<double>(stall.reads.time));
}

double linkTimesOf(const WhatIf& change, const Replay& replay, Prediction& prediction)
{
    const bool told = change.linkNowBytesPerSecond > 0;
    const double now = prediction.linkNow = told ? change.linkNowBytesPerSecond : replay.wireBytesPerSecond();
    if (replay.latencyUnknown() && (change.linkBytesPerSecond > 0 || change.linkTimes != 1))
        prediction.remarks.emplace_back(
            "All reductions are of one size: what of their time is latency, which no link shortens, is not known.");
    if (change.linkBytesPerSecond <= 0) return change.linkTimes;
    if (!told) {
        prediction.remarks.emplace_back("The link's speed now is taken to be what its fastest reductions reach, ",
                                        findings::BytesPerSecond{now}, "; --link-now tells it better.");
    }
    return now > 0 ? change.linkBytesPerSecond / now : 1;
}

Change changeOf(const Subject& subject, const WhatIf& whatIf, Prediction& prediction)
{
    Change change;
    change.linkTimes = prediction.linkTimes = linkTimesOf(whatIf, subject.replay(), prediction);
    change.overlap = whatIf.overlap;
    change.balanced = whatIf.balanced;
    change.copyKept = whatIf.gpuDirect ? 0 : 1;
    if (whatIf.cached) change.inputStallKept = keptByCache(stallOf(subject));
    if (whatIf.noInputStall) {
        change.inputStallKept = 0;
        change.onlyStallInReads = false;
    }
    return change;
}

/// How far the mean of the steps is known: 1.96 standard errors, as a share.
double scatterOf(const Subject& subject)
{
    double n = 0;
    double sum = 0;
    double squares = 0;
    for (const RankView& view : subject.ranks)
        for (const Interval step : view.windows) {
            const double length = static_cast<double>(step.length());
            n += 1;
            sum += length;
            squares += length * length;
        }
    if (n < 2 || sum <= 0) return 0;
    const double variance = std::max(0.0, squares / n - sum / n * (sum / n));
    return 1.96 * std::sqrt(variance / n) / (sum / n);
}

/// Half of what the time differs by when a byte takes as long as it may at most and at least.
double doubtOfLink(const Replay& replay, Change change)
{
    if (change.linkTimes == 1) return 0;
    change.byteTimeOff = 1;
    const double most = replay.timeOf(change);
    change.byteTimeOff = -1;
    return std::abs(most - replay.timeOf(change)) / 2;
}

/// Where gradients become ready is known only when the layers are: both ends of what is common, and half their distance as error.
std::pair<double, double> replayed(const Replay& replay, Change change)
{
    const double doubt = doubtOfLink(replay, change);
    const double even = replay.timeOf(change);
    if (!change.overlap) return {even, doubt};
    change.readiness = Readiness::LateLayers;
    const double late = replay.timeOf(change);
    return {(even + late) / 2, std::abs(even - late) / 2 + doubt};
}

}  // namespace

Measured<Prediction> predict(const Subject& subject, const WhatIf& whatIf)
{
    if (!subject.bySteps) return Measured<Prediction>::missing("the run has no steps: mark them, or let the job print its epochs");
    const Replay& replay = subject.replay();
    const double now = replay.possible() ? replay.timeOf({}) : 0;
    if (now <= 0) return Measured<Prediction>::missing("the ranks have no step in common");
    Prediction prediction;
    const Change change = changeOf(subject, whatIf, prediction);
    const auto [then, spread] = replayed(replay, change);
    const double steps = static_cast<double>(replay.steps());
    prediction.replayOff = now / replay.recorded() - 1;
    prediction.stepNow = replay.recorded() / steps;
    prediction.step = prediction.stepNow * then / now;
    prediction.stepError = prediction.step * (std::abs(prediction.replayOff) + scatterOf(subject)) + spread / steps;
    const double faster = prediction.step > 0 ? prediction.stepNow / prediction.step : 1;
    prediction.throughput = {faster - 1, prediction.step > 0 ? faster * prediction.stepError / prediction.step : 0};
    prediction.runNow = static_cast<double>(subject.run.extent.length());
    const auto gap = whatIf.noShuffleGap ? shuffleGap(subject) : std::nullopt;
    prediction.run = prediction.runNow - (prediction.stepNow - prediction.step) * steps - (gap ? static_cast<double>(gap->amount) : 0.0);
    prediction.runError = prediction.stepError * steps + (gap ? gap->gain.error * prediction.runNow : 0.0);
    const bool few = subject.run.processorsIdle.known() && subject.run.processorsIdle.value() < 0.1;
    const bool noGpu = std::none_of(subject.ranks.begin(), subject.ranks.end(), [](const RankView& view) { return view.rank->gpu.used; });
    if (whatIf.overlap && few && noGpu)
        prediction.remarks.emplace_back(
            "No processor was idle: communication beside compute would take time from it, which is not in this prediction.");
    return prediction;
}

std::optional<findings::Estimate> gainOfOverlap(const Subject& subject)
{
    if (!subject.bySteps || subject.meetings.empty()) return std::nullopt;
    WhatIf whatIf;
    whatIf.overlap = true;
    const Measured<Prediction> prediction = predict(subject, whatIf);
    if (!prediction.known() || prediction.value().stepNow <= 0) return std::nullopt;
    const Prediction& found = prediction.value();
    return findings::Estimate{std::max(0.0, 1 - found.step / found.stepNow), found.stepError / found.stepNow};
}

}  // namespace flowgauge::diagnoses
