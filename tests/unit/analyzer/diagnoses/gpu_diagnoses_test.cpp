// SPDX-License-Identifier: MIT
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;

/// Two steps of 100 ms on a GPU that computes half of each.
facts::RankFacts gpuRank(int number)
{
    facts::RankFacts rank = rankOf(number);
    rank.gpu.used = true;
    rank.steps = {{1, {0, 100 * ms}, 0}, {2, {100 * ms, 200 * ms}, 0}};
    rank.compute = IntervalSet::of({{0, 50 * ms}, {100 * ms, 150 * ms}});
    rank.gpu.launchesKnown = true;
    return rank;
}

TEST(HostBound, IdleThatEndsWithALateLaunchIsTheHosts)
{
    facts::RankFacts rank = gpuRank(0);
    rank.gpu.lateLaunch = IntervalSet::of({{50 * ms, 80 * ms}, {150 * ms, 180 * ms}});
    const auto finding = answerOf("host_bound", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 60 * ms);
    EXPECT_EQ(finding->outOf, 200 * ms);
    EXPECT_NEAR(finding->gain.value, 0.3, 1e-9);
    EXPECT_TRUE(finding->details.empty());
    EXPECT_EQ(finding->evidence.at(0).when, (Interval{50 * ms, 80 * ms}));
    EXPECT_NE(finding->advice.find("CUDA graphs"), std::string::npos);
}

TEST(HostBound, WhereTheHostHadWaitedForTheGpuTheAdviceIsNotTo)
{
    facts::RankFacts rank = gpuRank(0);
    rank.gpu.lateLaunch = IntervalSet::of({{50 * ms, 60 * ms}});
    rank.gpu.afterSync = IntervalSet::of({{60 * ms, 90 * ms}});
    const auto finding = answerOf("host_bound", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 40 * ms);
    ASSERT_EQ(finding->details.size(), 1U);
    EXPECT_EQ(finding->details[0].pieces().at(1), findings::Piece(findings::Share{0.75}));
    EXPECT_NE(finding->advice.find(".item()"), std::string::npos);
}

TEST(HostBound, WhatWaitsForDataIsNoLateLaunch)
{
    facts::RankFacts rank = gpuRank(0);
    rank.gpu.lateLaunch = IntervalSet::of({{50 * ms, 100 * ms}});
    rank.waiting = IntervalSet::of({{50 * ms, 95 * ms}});
    const auto finding = answerOf("host_bound", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 5 * ms);
}

TEST(HostBound, AGpuThatIsNeverLateIsNotTold) { EXPECT_FALSE(answerOf("host_bound", runOf({gpuRank(0)}))); }

TEST(ExposedCopies, AreWhatNoKernelHidesWithBytesAndRateOfEachDirection)
{
    facts::RankFacts rank = gpuRank(0);
    rank.copy = IntervalSet::of({{40 * ms, 60 * ms}, {140 * ms, 160 * ms}});
    rank.gpu.copies[1] = {2, 400'000'000, 40 * ms};
    rank.gpu.copies[2] = {1, 8, 1000};
    const auto finding = answerOf("exposed_copies", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 20 * ms) << "half of each copy runs beside a kernel";
    EXPECT_NEAR(finding->gain.value, 0.1, 1e-9);
    ASSERT_EQ(finding->details.size(), 2U);
    EXPECT_EQ(finding->details[0],
              findings::Sentence(findings::Count{2}, " copies ", std::string("from host to GPU"), ", ", findings::Bytes{4e8}, " in ",
                                 findings::Duration{40 * ms}, " (", findings::BytesPerSecond{1e10}, ")."));
    EXPECT_NE(finding->advice.find("pinned memory"), std::string::npos);
    EXPECT_EQ(finding->evidence.at(0).when, (Interval{50 * ms, 60 * ms}));
}

TEST(ExposedCommunication, OfKernelsAloneHasAGainThoughNoCallsAreKnown)
{
    facts::RankFacts rank = gpuRank(0);
    rank.communication = IntervalSet::of({{40 * ms, 60 * ms}, {61 * ms, 70 * ms}, {71 * ms, 80 * ms}, {81 * ms, 90 * ms}});
    const auto finding = answerOf("exposed_communication", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 37 * ms);
    // Of the 37 ms all but one of four operations could lie beside computing in the first step; the second has none.
    EXPECT_NEAR(finding->gain.value, (37 - 37.0 / 4) / 100 / 2, 1e-6);
}

TEST(ExposedCopies, OfResultsAreAdvisedAgainst)
{
    facts::RankFacts rank = gpuRank(0);
    rank.copy = IntervalSet::of({{50 * ms, 60 * ms}});
    rank.gpu.copies[2] = {1, 8, 10 * ms};
    EXPECT_NE(answerOf("exposed_copies", runOf({rank}))->advice.find(".item()"), std::string::npos);
}

TEST(ExposedCopies, ThatKernelsHideAreNotTold)
{
    facts::RankFacts rank = gpuRank(0);
    rank.copy = IntervalSet::of({{10 * ms, 20 * ms}});
    rank.gpu.copies[1] = {1, 8, 10 * ms};
    EXPECT_FALSE(answerOf("exposed_copies", runOf({rank})));
}

}  // namespace
}  // namespace flowgauge::diagnoses
