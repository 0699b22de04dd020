// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/whatif.h"
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::diagnoses {
namespace {

using facts::RankFacts;

constexpr std::uint64_t small = 1'000'000;

/// Ten steps: input, forward, backward, two equal reductions behind it. Times in ms.
RankFacts serial(int number, Nanos input, Nanos forward, Nanos backward, Nanos reduction)
{
    RankFacts rank = rankOf(number);
    Nanos t = 0;
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos begin = t;
        if (input > 0) rank.waiting.append({t, t + input * ms});
        t += input * ms;
        rank.compute.append({t, t + (forward + backward) * ms});
        rank.phases["backward"].append({t + forward * ms, t + (forward + backward) * ms});
        t += (forward + backward) * ms;
        for (std::uint64_t call = 0; call < 2; ++call, t += reduction * ms) {
            allreduce(rank, static_cast<std::uint64_t>(2 * step) + call, {t, t + reduction * ms});
            rank.collectives.back().bytes = small;
        }
        rank.steps.push_back({step, {begin, t}, 16});
    }
    return rank;
}

double stepOf(const facts::RunFacts& run, const WhatIf& whatIf)
{
    const Subject subject(run);
    const Measured<Prediction> prediction = predict(subject, whatIf);
    EXPECT_TRUE(prediction.known());
    EXPECT_NEAR(prediction.value().replayOff, 0, 1e-9) << "a replay without a change is what was recorded";
    return prediction.value().step / static_cast<double>(ms);
}

TEST(Replay, WithoutAChangeIsWhatWasRecorded)
{
    EXPECT_NEAR(stepOf(runOf({serial(0, 5, 20, 40, 10), serial(1, 5, 20, 40, 10)}), {}), 85, 1e-6);
}

TEST(Replay, OverlapLeavesTheLastBucketBehindBackward)
{
    WhatIf overlap;
    overlap.overlap = true;
    EXPECT_NEAR(stepOf(runOf({serial(0, 0, 20, 40, 10), serial(1, 0, 20, 40, 10)}), overlap), 70, 1e-6);
    // Reductions longer than backward queue up behind each other: the first is ready after half of it, at 40.
    const facts::RunFacts longer = runOf({serial(0, 0, 20, 40, 50), serial(1, 0, 20, 40, 50)});
    const Subject subject(longer);
    const Replay& replay = subject.replay();
    Change even;
    even.overlap = true;
    EXPECT_NEAR(replay.timeOf(even) / 10 / static_cast<double>(ms), 140, 1e-6);
    even.readiness = Readiness::LateLayers;
    EXPECT_LT(replay.timeOf(even) / 10 / static_cast<double>(ms), 140);
}

TEST(Replay, AFasterLinkShortensBytesAndNotLatency)
{
    WhatIf twice;
    twice.linkTimes = 2;
    EXPECT_NEAR(stepOf(runOf({serial(0, 0, 20, 40, 10), serial(1, 0, 20, 40, 10)}), twice), 70, 1e-6) << "all of one size: all are bytes";
    facts::RunFacts run = runOf({serial(0, 0, 20, 40, 10), serial(1, 0, 20, 40, 10)});
    for (RankFacts& rank : run.ranks)
        for (facts::CollectiveCall& call : rank.collectives) call.bytes = call.sequence % 2 == 0 ? small : 2 * small;
    EXPECT_NEAR(stepOf(run, twice), 80, 1e-6) << "twice the bytes in the same time: that is latency";
}

TEST(Replay, ThroughputGainsItsErrorFromHowFarTransfersScatter)
{
    WhatIf four;
    four.linkTimes = 4;
    facts::RunFacts run = runOf({serial(0, 0, 20, 40, 10), serial(1, 0, 20, 40, 10)});
    const Prediction exact = predict(Subject(run), four).value();
    EXPECT_NEAR(exact.throughput.value, 80.0 / 65 - 1, 1e-9);
    EXPECT_NEAR(exact.throughput.error, 0, 1e-9);
    ASSERT_EQ(exact.remarks.size(), 1U) << "all of one size: latency is not known";
    const auto uneven = [](int number) {  // reductions of one size that take 8 and 12 ms by turns
        RankFacts rank = rankOf(number);
        for (std::int64_t step = 0; step < 10; ++step) {
            const Nanos t = step * 100 * ms;
            const Nanos end = t + (step % 2 == 0 ? 68 : 72) * ms;
            rank.steps.push_back({step, {t, end}, 16});
            rank.compute.append({t, t + 60 * ms});
            allreduce(rank, static_cast<std::uint64_t>(step), {t + 60 * ms, end});
            rank.collectives.back().bytes = small;
        }
        return rank;
    };
    run = runOf({uneven(0), uneven(1)});
    EXPECT_GT(predict(Subject(run), four).value().throughput.error, 0.01);
}

/// Ten steps of 60 ms of compute, 40 of them backward; a reduction of 60 ms handed in after 30, one of 20 that waits for its end.
RankFacts queueing(int number)
{
    RankFacts rank = rankOf(number);
    rank.host = number == 0 ? "node-a" : "node-b";
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 110 * ms;
        rank.compute.append({t, t + 60 * ms});
        rank.phases["backward"].append({t + 20 * ms, t + 60 * ms});
        allreduce(rank, static_cast<std::uint64_t>(2 * step), {t + 30 * ms, t + 90 * ms});
        rank.collectives.back().bytes = 3 * small;
        allreduce(rank, static_cast<std::uint64_t>(2 * step) + 1, {t + 60 * ms, t + 110 * ms});
        rank.collectives.back().bytes = small;
        rank.steps.push_back({step, {t, t + 110 * ms}, 16});
    }
    return rank;
}

TEST(Replay, AReductionThatWaitsForTheWireIsNoLongerThanItsBytes)
{
    WhatIf twice;
    twice.linkTimes = 2;
    EXPECT_NEAR(stepOf(runOf({queueing(0), queueing(1)}), twice), 70, 1e-6);
}

TEST(Replay, ALastBucketThatWaitsForTheWireIsNotLate)
{
    const facts::RunFacts run = runOf({queueing(0), queueing(1)});
    EXPECT_FALSE(answerOf("late_bucket", run));
}

TEST(Replay, LatencyStaysWhereSizesTellItApart)
{
    const auto rank = [](int number) {
        RankFacts one = rankOf(number);
        for (std::int64_t step = 0; step < 10; ++step) {
            const Nanos t = step * 100 * ms;
            one.steps.push_back({step, {t, t + 100 * ms}, 16});
            one.compute.append({t, t + 60 * ms});
            allreduce(one, static_cast<std::uint64_t>(2 * step), {t + 60 * ms, t + 75 * ms});  // 5 of latency, 10 a million
            one.collectives.back().bytes = small;
            allreduce(one, static_cast<std::uint64_t>(2 * step + 1), {t + 75 * ms, t + 100 * ms});
            one.collectives.back().bytes = 2 * small;
        }
        return one;
    };
    WhatIf twice;
    twice.linkTimes = 2;
    EXPECT_NEAR(stepOf(runOf({rank(0), rank(1)}), twice), 60 + 5 + 5 + 5 + 10, 1e-6);
}

TEST(Replay, InputThatNobodyWaitsForShortensEveryStep)
{
    WhatIf whatIf;
    whatIf.noInputStall = true;
    EXPECT_NEAR(stepOf(runOf({serial(0, 25, 20, 40, 10), serial(1, 25, 20, 40, 10)}), whatIf), 80, 1e-6);
}

/// Steps of 100 ms: 30 of waiting for a loader that reads all the time, 50 of compute, 20 of reduction.
RankFacts starved(int number, double readingShare)
{
    RankFacts rank = serial(number, 30, 20, 30, 10);
    rank.reading = rank.waiting;
    rank.reads.time = static_cast<Nanos>(readingShare * 1000) * ms;
    return rank;
}

TEST(Replay, ALoaderThatIsTooSlowDoesNotBecomeFasterWithTheLink)
{
    WhatIf twice;
    twice.linkTimes = 2;
    EXPECT_NEAR(stepOf(runOf({starved(0, 1), starved(1, 1)}), twice), 100 - 1, 1e-6) << "the first step alone gains its 10 ms";
    EXPECT_NEAR(stepOf(runOf({starved(0, 0.3), starved(1, 0.3)}), twice), 90, 1e-6) << "a step that reads for itself";
    WhatIf cached = twice;
    cached.noInputStall = true;
    EXPECT_NEAR(stepOf(runOf({starved(0, 1), starved(1, 1)}), cached), 60, 1e-6);
}

TEST(Replay, OfTwoUnequalRanksTheSlowerOneSetsThePace)
{
    RankFacts fast = rankOf(0);
    RankFacts slow = rankOf(1);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        for (RankFacts* rank : {&fast, &slow}) rank->steps.push_back({step, {t, t + 100 * ms}, 16});
        fast.compute.append({t, t + 50 * ms});
        slow.compute.append({t, t + 90 * ms});
        allreduce(fast, static_cast<std::uint64_t>(step), {t + 50 * ms, t + 100 * ms});
        allreduce(slow, static_cast<std::uint64_t>(step), {t + 90 * ms, t + 100 * ms});
    }
    WhatIf even;
    even.balanced = true;
    EXPECT_NEAR(stepOf(runOf({fast, slow}), even), 70 + 10, 1e-6) << "the mean of 50 and 90, and the transfer";
}

TEST(Replay, WithoutStepsThereIsNothingToReplay)
{
    const facts::RunFacts run = runOf({rankOf(0)});
    const Subject subject(run);
    EXPECT_FALSE(predict(subject, {}).known());
    const facts::RunFacts nothing;
    EXPECT_FALSE(predict(Subject(nothing), {}).known());
}

TEST(Replay, OneRankAloneCanBeReplayedToo)
{
    WhatIf whatIf;
    whatIf.noInputStall = true;
    EXPECT_NEAR(stepOf(runOf({serial(0, 25, 20, 40, 10)}), whatIf), 80, 1e-6);
}

}  // namespace
}  // namespace flowgauge::diagnoses
