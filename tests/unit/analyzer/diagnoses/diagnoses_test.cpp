// SPDX-License-Identifier: MIT
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;
using facts::RankFacts;
using Names = std::vector<std::string>;

/// Ten steps of 100 ms: 60 ms compute, then two allreduces of 20 ms that nothing hides.
RankFacts withoutOverlap(int number)
{
    RankFacts rank = rankOf(number);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.compute.append({t, t + 60 * ms});
        allreduce(rank, static_cast<std::uint64_t>(2 * step), {t + 60 * ms, t + 80 * ms});
        allreduce(rank, static_cast<std::uint64_t>(2 * step + 1), {t + 80 * ms, t + 100 * ms});
    }
    return rank;
}

/// The same work overlapped: both allreduces run while compute does, but for 1 ms.
RankFacts healthy(int number)
{
    RankFacts rank = rankOf(number);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.compute.append({t, t + 98 * ms});
        allreduce(rank, static_cast<std::uint64_t>(2 * step), {t + 40 * ms, t + 60 * ms});
        allreduce(rank, static_cast<std::uint64_t>(2 * step + 1), {t + 79 * ms, t + 99 * ms});
    }
    return rank;
}

TEST(Breakdown, PartsAddUpToTheWallTimeOfTheSteps)
{
    RankFacts rank = rankOf(0);
    rank.steps = {{0, {0, 100}, 1}, {1, {100, 200}, 1}};
    rank.compute = IntervalSet::of({{0, 50}, {100, 150}});
    rank.communication = IntervalSet::of({{40, 70}});  // 20 exposed
    rank.copy = IntervalSet::of({{60, 75}});           // 5 exposed
    rank.waiting = IntervalSet::of({{70, 90}});        // 15 behind the copy
    const facts::RunFacts run = runOf({rank});
    const Subject subject(run);
    const facts::TimeParts parts = subject.ranks[0].parts.within({0, 100});
    EXPECT_EQ(parts, (facts::TimeParts{100, 50, 20, 5, 15, 10}));
    const findings::Breakdown breakdown = breakdownOf(subject);
    double sum = 0;
    for (const findings::PartShare& part : breakdown.parts) sum += part.share;
    EXPECT_DOUBLE_EQ(sum, 1.0);
    EXPECT_DOUBLE_EQ(breakdown.parts[0].share, 0.5);
    EXPECT_EQ(breakdown.length, 100);
}

TEST(ExposedCommunication, NoOverlapGainsAllButTheLastCollective)
{
    const auto finding = answerOf("exposed_communication", runOf({withoutOverlap(0), withoutOverlap(1)}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "No overlap");
    EXPECT_EQ(finding->amount, 2 * 10 * 40 * ms);
    EXPECT_DOUBLE_EQ(finding->share(), 0.4);
    EXPECT_NEAR(finding->gain.value, 0.2, 1e-9);  // the second of two equal ones stands behind backward's end
    EXPECT_NEAR(finding->gain.error, 0.0, 1e-9);
    EXPECT_EQ(finding->evidence.front().when, (Interval{60 * ms, 100 * ms}));
}

TEST(ExposedCommunication, CannotHideBehindMoreComputeThanThereIs)
{
    RankFacts rank = rankOf(0);
    rank.steps = {{0, {0, 100}, 1}};
    rank.compute = IntervalSet::of({{0, 10}});
    for (std::uint64_t call = 0; call < 9; ++call)
        allreduce(rank, call, {10 + 10 * static_cast<Nanos>(call), 20 + 10 * static_cast<Nanos>(call)});
    const auto finding = answerOf("exposed_communication", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_DOUBLE_EQ(finding->gain.value, 0.1);
}

TEST(ExposedCommunication, SaysNothingWhereComputeIsNotKnown)
{
    RankFacts rank = withoutOverlap(0);
    rank.compute = {};
    rank.computeKnown = Measured<bool>::missing("no phase marked");
    EXPECT_FALSE(answerOf("exposed_communication", runOf({rank})));
}

TEST(Healthy, ARunThatOverlapsHasNothingWorthFixing)
{
    const facts::RunFacts run = runOf({healthy(0), healthy(1)});
    EXPECT_EQ(namesOf(run), Names{});
}

TEST(Straggler, IsWhoArrivesLastAndSaysWhatGrew)
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
    const facts::RunFacts run = runOf({fast, slow});
    const auto finding = answerOf("straggler", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->ranks, std::vector<int>{1});
    EXPECT_EQ(finding->amount, 10 * 40 * ms);
    EXPECT_DOUBLE_EQ(finding->gain.value, 0.4);
    EXPECT_NE(finding->advice.find("processor"), std::string::npos);
    EXPECT_EQ(namesOf(run).front(), "straggler");
}

TEST(Straggler, TakingTurnsAtBeingLateIsNone)
{
    RankFacts ranks[2] = {rankOf(0), rankOf(1)};
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        for (int i = 0; i < 2; ++i) {
            const Nanos late = step % 2 == i ? 20 * ms : 0;
            ranks[i].steps.push_back({step, {t, t + 100 * ms}, 16});
            ranks[i].compute.append({t, t + 60 * ms + late});
            allreduce(ranks[i], static_cast<std::uint64_t>(step), {t + 60 * ms + late, t + 100 * ms});
        }
    }
    EXPECT_FALSE(answerOf("straggler", runOf({ranks[0], ranks[1]})));
}

/// Ten steps of 100 ms that wait 40 ms for data, with read calls of that shape inside or outside of the wait.
RankFacts waitingFor(Nanos readEvery, Nanos readLength, std::int64_t bytes, bool insideWait)
{
    RankFacts rank = rankOf(0);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.waiting.append({t, t + 40 * ms});
        rank.compute.append({t + 40 * ms, t + 100 * ms});
        const Nanos from = insideWait ? t : t + 50 * ms;
        std::vector<Interval> calls;
        for (Nanos at = from; at + readLength <= from + 40 * ms; at += readEvery) {
            calls.push_back({at, at + readLength});
            rank.reads.add(readLength, bytes, static_cast<std::uint64_t>(bytes));
        }
        rank.reading = rank.reading.united(IntervalSet::of(calls));
    }
    return rank;
}

TEST(InputStall, LongReadsInsideTheStallMeanSlowStorage)
{
    const facts::RunFacts run = runOf({waitingFor(10 * ms, 10 * ms, 100'000, true)});
    EXPECT_EQ(namesOf(run), Names{"slow_storage"});
    const auto finding = answerOf("slow_storage", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 400 * ms);
    EXPECT_DOUBLE_EQ(finding->share(), 0.4);
    EXPECT_NEAR(finding->gain.value, 0.4, 1e-9);
}

TEST(InputStall, ManyShortReadsInsideTheStallMeanSmallReads)
{
    const facts::RunFacts run = runOf({waitingFor(2'000, 2'000, 512, true)});
    EXPECT_EQ(namesOf(run), Names{"small_reads"});
    const auto finding = answerOf("small_reads", run);
    ASSERT_TRUE(finding);
    EXPECT_NEAR(finding->gain.value, 0.4 * (1 - 512.0 / 2000.0), 1e-9);  // at the assumed 1 GB/s, 512 B take 512 of 2000 ns
    EXPECT_FALSE(finding->toBeSure.empty());
}

TEST(InputStall, LargerReadsOfTheSameRunReplaceTheAssumption)
{
    RankFacts rank = waitingFor(2'000, 2'000, 512, true);
    for (int i = 0; i < 100; ++i) rank.reads.add(100'000, 1'000'000, 1'000'000);  // 10 GB/s
    const auto finding = answerOf("small_reads", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_TRUE(finding->toBeSure.empty());
}

TEST(InputStall, AReadThatLosesItsProcessorDoesNotWaitForStorage)
{
    RankFacts rank = waitingFor(2'000, 2'000, 512, true);
    const std::int64_t calls = rank.reads.calls;
    for (int i = 0; i < calls / 200; ++i) rank.reads.add(10 * ms, 512, 512);  // one in 200 waits, and these make up most of the time
    facts::RunFacts run = runOf({rank});
    EXPECT_EQ(namesOf(run), Names{"slow_storage"}) << "as far as can be told without the processors' time";
    run.processorsIdle = 0.5;
    EXPECT_EQ(namesOf(run), Names{"slow_storage"});
    run.processorsIdle = 0.01;
    EXPECT_EQ(namesOf(run), Names{"small_reads"});
    run = runOf({waitingFor(10 * ms, 10 * ms, 100'000, true)});
    run.processorsIdle = 0.01;
    EXPECT_EQ(namesOf(run), Names{"slow_storage"}) << "where every call waits, it is not the processor that is missing";
}

TEST(InputStall, LargeReadsAtMemorySpeedDoNotMeanSlowStorage)
{
    EXPECT_EQ(namesOf(runOf({waitingFor(100'000, 100'000, 1'000'000, true)})), Names{"input_stall"});  // 10 GB/s
    EXPECT_EQ(namesOf(runOf({waitingFor(100'000, 100'000, 50'000, true)})), Names{"slow_storage"});    // 0.5 GB/s
}

TEST(InputStall, ReadsElsewhereMeanTheLoaderIsLate)
{
    EXPECT_EQ(namesOf(runOf({waitingFor(10 * ms, 1 * ms, 100'000, false)})), Names{"input_stall"});
}

facts::Epoch epochOf(std::int64_t number, Interval when, std::int64_t asked, std::int64_t fetched)
{
    facts::Epoch epoch;
    epoch.number = number;
    epoch.when = when;
    epoch.asked = asked;
    epoch.fetched = fetched;
    return epoch;
}

TEST(ColdEpoch, TellsHowMuchLongerItTook)
{
    facts::RunFacts run = runOf({rankOf(0)});
    run.extent = {0, 1000 * ms};
    run.epochs = {epochOf(1, {0, 500 * ms}, 1000, 1000), epochOf(2, {500 * ms, 740 * ms}, 1000, 0),
                  epochOf(3, {740 * ms, 1000 * ms}, 1000, 20)};
    const auto finding = answerOf("cold_epoch", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 240 * ms);
    EXPECT_EQ(finding->where, "epoch 1");
    EXPECT_DOUBLE_EQ(finding->gain.value, 0.24);
    EXPECT_DOUBLE_EQ(finding->gain.error, 0.01);
}

TEST(ColdEpoch, NeedsBothAColdAndAWarmOne)
{
    facts::RunFacts run = runOf({rankOf(0)});
    run.extent = {0, 1000 * ms};
    run.epochs = {epochOf(1, {0, 500 * ms}, 1000, 1000), epochOf(2, {500 * ms, 740 * ms}, 1000, 1000)};
    EXPECT_FALSE(answerOf("cold_epoch", run));
    run.epochs[1].fetched = Measured<std::int64_t>::missing("no samples");
    EXPECT_FALSE(answerOf("cold_epoch", run));
}

/// Two epochs of two steps; the second begins 500 ms late, of which the first 100 are a marked checkpoint.
facts::RunFacts withAGap(RankFacts rank = rankOf(0))
{
    for (std::int64_t step = 0; step < 4; ++step) {  // two steps an epoch; the second epoch begins 500 ms late
        const Nanos t = step * 100 * ms + (step >= 2 ? 500 * ms : 0);
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.compute.append({t, t + 60 * ms});
        allreduce(rank, static_cast<std::uint64_t>(step), {t + 60 * ms, t + 100 * ms});
    }
    rank.phases["checkpoint"] = IntervalSet::of({{200 * ms, 300 * ms}});
    facts::RunFacts run = runOf({rank});
    run.epochs = {epochOf(1, {0, 200 * ms}, 0, 0), epochOf(2, {700 * ms, 900 * ms}, 0, 0)};
    run.epochs[1].gapBefore = 560 * ms;
    return run;
}

TEST(ShuffleGap, IsWhatIsBeyondAnOrdinaryStepAndNamedWork)
{
    const auto finding = answerOf("shuffle_gap", withAGap());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 400 * ms);  // 560 less 60 of an ordinary border less 100 of the checkpoint
    EXPECT_EQ(finding->where, "after epoch 1");
}

TEST(ShuffleGap, HasTheCauseThatFillsMostOfItAndElseNone)
{
    EXPECT_EQ(answerOf("shuffle_gap", withAGap())->title, "Gap between epochs");
    RankFacts rank = rankOf(0);
    rank.phases["shuffle"] = IntervalSet::of({{320 * ms, 600 * ms}});
    EXPECT_EQ(answerOf("shuffle_gap", withAGap(rank))->title, "Shuffle gap");
    rank.phases.erase("shuffle");
    rank.writing = IntervalSet::of({{300 * ms, 510 * ms}});
    EXPECT_EQ(answerOf("shuffle_gap", withAGap(rank))->title, "Writing between epochs");
    rank.writing = IntervalSet::of({{200 * ms, 300 * ms}});  // that is the checkpoint, which is named already
    rank.waiting = IntervalSet::of({{400 * ms, 700 * ms}});
    EXPECT_EQ(answerOf("shuffle_gap", withAGap(rank))->title, "Loader starts anew");
}

TEST(ShuffleGap, AnEvaluationThatOnlyTheLogTellsOfIsNoneOfIt)
{
    facts::RunFacts run = withAGap();
    run.log.evaluations = {{1, 600 * ms, 0.5, {300 * ms, 600 * ms}}};
    EXPECT_EQ(answerOf("shuffle_gap", run)->amount, 100 * ms);
}

TEST(Pauses, HaveTheCauseThatWasRecordedOrNone)
{
    // Steps of 100 ms without a gap; twice all ranks stand still for a second, once while files are written.
    const auto rank = [](int number) {
        RankFacts one = rankOf(number);
        Nanos t = 0;
        for (std::int64_t step = 0; step < 30; ++step, t += 100 * ms) {
            if (step == 10) one.writing = IntervalSet::of({{t, t + 900 * ms}});
            if (step == 10 || step == 20) t += 1000 * ms;
            one.steps.push_back({step, {t, t + 100 * ms}, 16});
            one.compute.append({t, t + 100 * ms});
        }
        return one;
    };
    facts::RunFacts run = runOf({rank(0), rank(1)});
    const auto finding = answerOf("pauses", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 2000 * ms);
    EXPECT_NEAR(finding->gain.value, 0.4, 1e-9);
    ASSERT_EQ(finding->evidence.size(), 2U);
    EXPECT_EQ(finding->evidence[0].when, (Interval{1000 * ms, 2000 * ms}));
    ASSERT_EQ(finding->details.size(), 2U);
    EXPECT_EQ(std::get<std::string>(finding->details[0].pieces()[2]), "files are written: checkpoints, most likely");
    EXPECT_NE(std::get<std::string>(finding->details[1].pieces()[2]).find("unknown"), std::string::npos);

    facts::RunFacts thinned = run;
    thinned.ledger.push_back({"steps", "degraded", "one of 10 steps is written", 10});
    EXPECT_FALSE(answerOf("pauses", thinned)) << "steps that were left out are no pause";
    for (RankFacts& one : run.ranks) one.phases["evaluation"] = IntervalSet::of({{1000 * ms, 2000 * ms}, {3000 * ms, 4000 * ms}});
    EXPECT_FALSE(answerOf("pauses", run)) << "marked evaluations have a diagnosis of their own";
}

TEST(LostEvents, HeadTheReportFromOneInAHundredOn)
{
    facts::RunFacts run = runOf({withoutOverlap(0)});
    run.cost.events = 980;
    run.cost.lost = 20;
    EXPECT_EQ(namesOf(run).front(), "lost_events");
    run.cost.events = 100'000;
    EXPECT_EQ(namesOf(run).front(), "exposed_communication");
}

TEST(OwnCost, IsToldWhenItIsMoreThanPromised)
{
    facts::RunFacts run = runOf({healthy(0)});
    run.cost.cpuNs = 30 * ms;
    EXPECT_EQ(namesOf(run), Names{"own_cost"});
    run.cost.cpuNs = 5 * ms;
    EXPECT_EQ(namesOf(run), Names{});
}

TEST(Diagnoses, GiveASensibleReportOfRunsThatHoldAlmostNothing)
{
    EXPECT_EQ(namesOf(facts::RunFacts{}), Names{});
    EXPECT_TRUE(breakdownOf(Subject(facts::RunFacts{})).parts.empty());
    facts::RunFacts idle = runOf({rankOf(0), rankOf(1)});
    EXPECT_EQ(namesOf(idle), Names{});
    facts::RunFacts missing = runOf({healthy(1)});
    missing.worldSize = 3;
    EXPECT_EQ(summaryOf(Subject(missing)).remarks, std::vector<std::string>{"ranks 0, 2 of 3 are not in this recording"});
    facts::RunFacts crashed = runOf({healthy(0), healthy(1)});
    crashed.ranks[1].endedNormally = false;
    EXPECT_EQ(summaryOf(Subject(crashed)).remarks, std::vector<std::string>{"rank 1 of 2 is recorded up to a crash or kill only"});
}

TEST(Diagnoses, EveryRowAsksAQuestionAndGainsNeverExceedAmounts)
{
    for (const Diagnosis& diagnosis : diagnoses()) EXPECT_TRUE(diagnosis.question.ends_with("?")) << diagnosis.name;
    for (const facts::RunFacts& run :
         {runOf({withoutOverlap(0), withoutOverlap(1)}), runOf({waitingFor(10 * ms, 10 * ms, 100'000, true)})}) {
        const Subject subject(run);
        for (const findings::Finding& finding : diagnose(subject)) EXPECT_LE(finding.gain.value, finding.share());
    }
}

}  // namespace
}  // namespace flowgauge::diagnoses
