// SPDX-License-Identifier: MIT
#include "workloads/train/schedule.h"
#include <gtest/gtest.h>

using flowgauge::workloads::Schedule;

TEST(Schedule, RisesInAStraightLineThenFallsToZero)
{
    const Schedule schedule{.base = 1.0, .warmupSteps = 4, .steps = 14};
    EXPECT_DOUBLE_EQ(schedule.rateAt(1), 0.25);
    EXPECT_DOUBLE_EQ(schedule.rateAt(4), 1.0);
    EXPECT_DOUBLE_EQ(schedule.rateAt(5), 1.0);
    EXPECT_DOUBLE_EQ(schedule.rateAt(10), 0.25);
    EXPECT_DOUBLE_EQ(schedule.rateAt(15), 0.0);
    EXPECT_DOUBLE_EQ(schedule.rateAt(99), 0.0);
}

TEST(Schedule, WithoutWarmUpStartsAtItsBase)
{
    const Schedule schedule{.base = 0.5, .warmupSteps = 0, .steps = 2};
    EXPECT_DOUBLE_EQ(schedule.rateAt(1), 0.5);
    EXPECT_DOUBLE_EQ(schedule.rateAt(2), 0.125);
}

TEST(Schedule, OfARunShorterThanItsWarmUpStaysFinite)
{
    const Schedule schedule{.base = 1.0, .warmupSteps = 10, .steps = 5};
    EXPECT_DOUBLE_EQ(schedule.rateAt(5), 0.5);
    EXPECT_DOUBLE_EQ(schedule.rateAt(11), 1.0);
    EXPECT_DOUBLE_EQ(schedule.rateAt(12), 0.0);
}
