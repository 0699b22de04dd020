// SPDX-License-Identifier: MIT
#include "analyzer/findings/finding.h"

#include <gtest/gtest.h>

namespace flowgauge::findings {
namespace {

Finding findingOf(std::string name, Nanos amount, double gain)
{
    Finding finding;
    finding.diagnosis = std::move(name);
    finding.amount = amount;
    finding.outOf = 100;
    finding.gain = {gain, 0.01};
    return finding;
}

TEST(Ranking, PutsTheLargestGainFirstAndLeavesOutWhatIsNotWorthTelling)
{
    const auto order = ranked({findingOf("small", 20, 0.005), findingOf("second", 20, 0.1), findingOf("first", 40, 0.3)});
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(order[0].diagnosis, "first");
    EXPECT_EQ(order[1].diagnosis, "second");
}

TEST(Ranking, AGainIsNeverLargerThanItsAmount)
{
    const auto order = ranked({findingOf("greedy", 20, 0.9)});
    ASSERT_EQ(order.size(), 1U);
    EXPECT_DOUBLE_EQ(order[0].gain.value, 0.2);
}

TEST(Ranking, WhatStepsWouldGainCountsAsMuchAsStepsAreOfTheRun)
{
    Finding ofSteps = findingOf("of steps", 40, 0.4);
    ofSteps.partOfRun = 0.1;
    const auto order = ranked({ofSteps, findingOf("of the run", 20, 0.2)});
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(order[0].diagnosis, "of the run");
    EXPECT_DOUBLE_EQ(order[1].gain.value, 0.4) << "what is told stays a share of the steps";
}

TEST(Ranking, WhatIsWorthFixingStandsBeforeWhatIsNot)
{
    Finding ofSteps = findingOf("of steps", 40, 0.4);
    ofSteps.partOfRun = 0.01;
    const auto order = ranked({findingOf("little", 20, 0.04), ofSteps});
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(order[0].diagnosis, "of steps");
}

TEST(Ranking, LostEventsHeadTheReportWhateverTheyGain)
{
    Finding lost = findingOf("lost_events", 0, 0);
    lost.heads = true;
    const auto order = ranked({findingOf("first", 40, 0.3), lost});
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(order[0].diagnosis, "lost_events");
}

TEST(Estimate, ErrorIsTheStandardErrorOverStepsOrHalfTheRangeOverRanks)
{
    const Estimate steady = estimateOf({{0.2, 0.2, 0.2}, {0.3, 0.3, 0.3}});
    EXPECT_NEAR(steady.value, 0.25, 1e-12);
    EXPECT_NEAR(steady.error, 0.05, 1e-12);  // 1.96 standard errors are 0.0438
    const Estimate noisy = estimateOf({{0.1, 0.3}});
    EXPECT_NEAR(noisy.value, 0.2, 1e-12);
    EXPECT_NEAR(noisy.error, 0.196, 1e-12);  // standard deviation 0.1414, over the root of 2, times 1.96
    EXPECT_EQ(estimateOf({}), Estimate{});
    EXPECT_EQ(estimateOf({{0.4}}), (Estimate{0.4, 0.0}));
}

}  // namespace
}  // namespace flowgauge::findings
