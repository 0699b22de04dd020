// SPDX-License-Identifier: MIT
#include "gui/timeline/event_filter.h"

#include <gtest/gtest.h>

namespace flowgauge::timeline {
namespace {

TEST(EventFilterTest, TermsAreLimitsAndTheRestAreWords)
{
    const EventFilter filter = parseFilter("dur>1ms nccl bytes<=4k rank:3 rank:5 !broadcast");
    EXPECT_EQ(filter.problem, "");
    EXPECT_EQ(filter.words, "nccl !broadcast");
    EXPECT_EQ(filter.shortest, 1'000'001);
    EXPECT_EQ(filter.longest, EventFilter::unlimited);
    EXPECT_EQ(filter.leastBytes, -1);
    EXPECT_EQ(filter.mostBytes, 4000);
    EXPECT_EQ(filter.ranks, (std::vector{3, 5}));
    EXPECT_FALSE(filter.empty());
    EXPECT_TRUE(parseFilter("  ").empty());
}

TEST(EventFilterTest, AmountsHaveUnits)
{
    EXPECT_EQ(parseFilter("dur>=1.5us").shortest, 1500);
    EXPECT_EQ(parseFilter("dur<2s").longest, 1'999'999'999);
    EXPECT_EQ(parseFilter("bytes>=2MiB").leastBytes, 2 * 1048576);
    EXPECT_EQ(parseFilter("bytes>0").leastBytes, 1);
}

TEST(EventFilterTest, ATermThatMakesNoSenseIsTold)
{
    EXPECT_EQ(parseFilter("dur>soon").problem, "dur>soon: expected something like dur>1ms");
    EXPECT_EQ(parseFilter("dur>1").problem, "dur>1: expected something like dur>1ms");
    EXPECT_EQ(parseFilter("rank:x").problem, "rank:x: expected something like rank:3");
    EXPECT_EQ(parseFilter("name:").problem, "name:: expected something like name:nccl*");
    EXPECT_EQ(parseFilter("std::vector<int>").words, "std::vector<int>");  // a C++ name is no term
}

TEST(EventFilterTest, WhatDoesNotMoveBytesPassesUntilBytesAreAskedFor)
{
    EXPECT_TRUE(parseFilter("dur>=10ns").admitsFigures(10, -1));
    EXPECT_FALSE(parseFilter("dur>=10ns").admitsFigures(9, -1));
    EXPECT_FALSE(parseFilter("bytes>=0").admitsFigures(10, -1));
    EXPECT_TRUE(parseFilter("bytes>=0").admitsFigures(10, 0));
}

TEST(EventFilterTest, NamesFitPatternsAndWordsMayLieInNameOrKind)
{
    EXPECT_TRUE(fits("nccl*", "ncclDevKernel_AllReduce"));
    EXPECT_TRUE(fits("*Reduce*Sum*", "ncclDevKernel_AllReduce_Sum_f32"));
    EXPECT_TRUE(fits("*a*b", "aab"));
    EXPECT_TRUE(fits("*", ""));
    EXPECT_FALSE(fits("nccl", "ncclDevKernel"));
    EXPECT_FALSE(fits("*a*b", "aba"));
    const EventFilter filter = parseFilter("name:/data/* read !train");
    EXPECT_TRUE(filter.admitsName("/data/val.rec", "file_read"));
    EXPECT_FALSE(filter.admitsName("/data/train.rec", "file_read"));
    EXPECT_FALSE(filter.admitsName("/data/val.rec", "file_open"));
    EXPECT_FALSE(filter.admitsName("/other/val.rec", "file_read"));
}

TEST(EventFilterTest, RanksAreThoseNamed)
{
    EXPECT_TRUE(parseFilter("x").admitsRank(-1));
    EXPECT_TRUE(parseFilter("rank:2").admitsRank(2));
    EXPECT_FALSE(parseFilter("rank:2").admitsRank(-1));
}

}  // namespace
}  // namespace flowgauge::timeline
