// SPDX-License-Identifier: MIT
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;
using facts::RankFacts;

RankFacts withPhase(const std::string& phase)
{
    RankFacts rank = rankOf(0);
    rank.steps = {{0, {0, 100 * ms}, 16}, {1, {300 * ms, 400 * ms}, 16}};
    rank.compute = IntervalSet::of({{0, 100 * ms}, {300 * ms, 400 * ms}});
    rank.phases[phase] = IntervalSet::of({{90 * ms, 250 * ms}});
    rank.extent = {0, 400 * ms};
    return rank;
}

TEST(EvaluationStall, CountsWhatLiesOutsideOfSteps)
{
    const auto finding = answerOf("evaluation_stall", runOf({withPhase("evaluation")}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 150 * ms);
    EXPECT_EQ(finding->outOf, 400 * ms);
    EXPECT_DOUBLE_EQ(finding->gain.value, 0.1875);  // half as often
    EXPECT_FALSE(answerOf("checkpoint_stall", runOf({withPhase("evaluation")})));
}

TEST(CheckpointStall, GainsAllButTheCopy)
{
    const auto finding = answerOf("checkpoint_stall", runOf({withPhase("checkpoint")}));
    ASSERT_TRUE(finding);
    EXPECT_DOUBLE_EQ(finding->share(), 0.375);
    EXPECT_NEAR(finding->gain.value, 0.3375, 1e-12);
    EXPECT_FALSE(answerOf("checkpoint_stall", runOf({rankOf(0)})));
}

facts::Epoch epochOf(std::int64_t number, Interval when, std::int64_t asked = 0, std::int64_t fetched = 0)
{
    facts::Epoch epoch;
    epoch.number = number;
    epoch.when = when;
    epoch.asked = asked;
    epoch.fetched = fetched;
    return epoch;
}

/// A rank whose every step waits 40 of 100 ms in reads that wait for storage.
RankFacts waitingForStorage()
{
    RankFacts rank = rankOf(0);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.waiting.append({t, t + 40 * ms});
        rank.reading.append({t, t + 40 * ms});
        rank.compute.append({t + 40 * ms, t + 100 * ms});
        for (int i = 0; i < 4; ++i) rank.reads.add(10 * ms, 100'000, 100'000);
    }
    return rank;
}

TEST(CacheTooSmall, MeansLaterEpochsFetchAgain)
{
    facts::RunFacts run = runOf({waitingForStorage()});
    run.epochs = {epochOf(1, {0, 300 * ms}, 1000, 1000), epochOf(2, {300 * ms, 600 * ms}, 1000, 900),
                  epochOf(3, {600 * ms, 900 * ms}, 1000, 800)};
    run.trouble.memoryBytes = 500;
    const auto finding = answerOf("cache_too_small", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 400 * ms);
    EXPECT_EQ(finding->details.size(), 2U);
    run.epochs[1].fetched = 0;
    run.epochs[2].fetched = 0;
    EXPECT_FALSE(answerOf("cache_too_small", run)) << "the cache holds it";
    run.epochs[1].fetched = Measured<std::int64_t>::missing("no samples");
    EXPECT_FALSE(answerOf("cache_too_small", run));
}

TEST(ColdEpoch, IsNoLongerThanItsWaitForDataGrewWhereThatIsMarked)
{
    RankFacts rank = rankOf(0);
    rank.inputMarked = true;
    rank.waiting = IntervalSet::of({{0, 50 * ms}});
    rank.epochs.resize(2);
    rank.epochs[0].number = 1;
    rank.epochs[0].when = {0, 500 * ms};
    rank.epochs[1].number = 2;
    rank.epochs[1].when = {500 * ms, 740 * ms};
    facts::RunFacts run = runOf({rank});
    run.extent = {0, 740 * ms};
    run.epochs = {epochOf(1, {0, 500 * ms}, 1000, 1000), epochOf(2, {500 * ms, 740 * ms}, 1000, 0)};
    const auto finding = answerOf("cold_epoch", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 50 * ms) << "the other 210 ms are something else";
    run.ranks.front().waiting = {};
    EXPECT_FALSE(answerOf("cold_epoch", run));
}

TEST(UnusualEpoch, StandsOutFromWhatEpochsDifferByAnyway)
{
    facts::RunFacts run = runOf({rankOf(0)});
    Nanos t = 0;
    for (std::int64_t number = 1; number <= 8; ++number) {
        const Nanos length = (number == 1 ? 300 : number == 6 ? 400 : 100 + number % 3) * ms;
        run.epochs.push_back(epochOf(number, {t, t + length}));
        t += length;
    }
    run.extent = {0, t};
    const auto finding = answerOf("unusual_epoch", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->where, "epoch 6") << "a slow first one is no surprise";
    EXPECT_EQ(finding->amount, 298 * ms);
    run.epochs[5].when.end = run.epochs[5].when.begin + 110 * ms;
    EXPECT_FALSE(answerOf("unusual_epoch", run));
}

/// A log of three epochs with ten rates each; the first stands at `first` samples a second, give or take `scatter`.
facts::RunFacts logged(double first, double scatter)
{
    constexpr Nanos second = 1'000'000'000;
    facts::RunFacts run;
    run.log.formats = {"MLPerf v0.7 or later"};
    run.log.training = Interval{0, 340 * second};
    run.log.trainSamples = 1'281'167;
    Nanos t = 0;
    for (std::int64_t number = 1; number <= 3; ++number) {
        const Nanos length = (number == 1 ? 140 : 100) * second;
        run.log.epochs.push_back({number, 1, {t, t + length}, false});
        for (int window = 0; window < 10; ++window)
            run.log.rates.push_back(
                {number, window, t, facts::RateOf::Job, number == 1 ? first + (window % 2 == 0 ? scatter : -scatter) : 10'967, 0, 0});
        t += length;
    }
    run.extent = {0, t};
    return run;
}

TEST(StorageCeiling, IsAFlatFirstEpochBelowTheOthers)
{
    const auto finding = answerOf("storage_ceiling", logged(9'092, 10));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 40'000 * ms);
    const auto& pieces = finding->verdict.pieces();
    const auto rate = std::find_if(pieces.begin(), pieces.end(),
                                   [](const findings::Piece& piece) { return std::holds_alternative<findings::BytesPerSecond>(piece); });
    ASSERT_NE(rate, pieces.end());
    EXPECT_NEAR(std::get<findings::BytesPerSecond>(*rate).value, 1.02e9, 0.01e9);
    EXPECT_FALSE(answerOf("storage_ceiling", logged(9'092, 900))) << "waiting for single requests scatters";
    EXPECT_FALSE(answerOf("storage_ceiling", logged(10'900, 10))) << "a warm-up";
    EXPECT_FALSE(answerOf("storage_ceiling", facts::RunFacts{}));
}

TEST(EvaluationStall, IsToldOfALogAloneToo)
{
    facts::RunFacts run = logged(10'967, 10);
    run.log.evaluations = {{1, 0, 0.4, {0, 17'000 * ms}}, {2, 0, 0.5, {0, 17'000 * ms}}};
    const auto finding = answerOf("evaluation_stall", run);
    ASSERT_TRUE(finding);
    EXPECT_DOUBLE_EQ(finding->share(), 0.1);
}

TEST(Diagnoses, AreAtLeastSixteenAndEachKeepsSilentOnAnEmptyRun)
{
    EXPECT_GE(diagnoses().size(), 16U);
    const facts::RunFacts nothing;
    const Subject subject(nothing);
    for (const Diagnosis& diagnosis : diagnoses()) EXPECT_FALSE(diagnosis.answer(subject)) << diagnosis.name;
    facts::RunFacts one = runOf({withPhase("evaluation")});
    one.ranks.front().computeKnown = Measured<bool>::missing("no GPU kernels");
    const Subject bare(one);
    for (const findings::Finding& finding : diagnose(bare)) {
        EXPECT_TRUE(std::isfinite(finding.gain.value) && std::isfinite(finding.gain.error) && std::isfinite(finding.share()))
            << finding.diagnosis;
        EXPECT_GE(finding.share(), 0) << finding.diagnosis;
    }
}

TEST(Summary, OfAMachineWithoutRdmaPortsTheirQueuePairsAreNotNamedApart)
{
    facts::RunFacts run = runOf({});
    run.ledger = {{"queue pairs", "absent", "no driver here has counters of single queue pairs", 0}};
    EXPECT_EQ(summaryOf(Subject(run)).notMeasured,
              (std::vector<findings::NotMeasured>{{"queue pairs", "no driver here has counters of single queue pairs"}}));
    run.ledger.push_back({"infiniband", "absent", "no /sys/class/infiniband", 0});
    EXPECT_EQ(summaryOf(Subject(run)).notMeasured, (std::vector<findings::NotMeasured>{{"infiniband", "no /sys/class/infiniband"}}));
}

}  // namespace
}  // namespace flowgauge::diagnoses
