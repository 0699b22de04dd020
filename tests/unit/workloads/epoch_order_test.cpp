// SPDX-License-Identifier: MIT
#include "workloads/data/epoch_order.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>
#include <set>

using namespace flowgauge::workloads;

static std::vector<std::uint32_t> order(ShardRule rule, int rank, std::uint64_t epoch)
{
    return epochOrder({rule, 103, rank, 4, 7, epoch});
}

static std::set<std::uint32_t> records(ShardRule rule, int rank, std::uint64_t epoch)
{
    const auto all = order(rule, rank, epoch);
    return {all.begin(), all.end()};
}

class AnyRule : public testing::TestWithParam<ShardRule> {};
INSTANTIATE_TEST_SUITE_P(EpochOrder, AnyRule, testing::Values(ShardRule::Sticky, ShardRule::Reshuffle, ShardRule::Rotate));

TEST_P(AnyRule, GivesEveryRankAsManyAndNoRecordTwiceInAnEpoch)
{
    for (const std::uint64_t epoch : {1, 2, 3, 4, 5}) {
        std::set<std::uint32_t> seen;
        for (int rank = 0; rank < 4; ++rank) {
            const auto mine = records(GetParam(), rank, epoch);
            EXPECT_EQ(mine.size(), 25U);
            seen.insert(mine.begin(), mine.end());
        }
        EXPECT_EQ(seen.size(), 100U);
    }
}

TEST_P(AnyRule, ShufflesAnewEachEpochAndTheSameForTheSameSeed)
{
    EXPECT_NE(order(GetParam(), 1, 1), order(GetParam(), 1, 5));
    EXPECT_EQ(order(GetParam(), 1, 2), order(GetParam(), 1, 2));
    EXPECT_FALSE(std::ranges::is_sorted(order(GetParam(), 1, 1)));
}

TEST(EpochOrder, StickyKeepsARanksRecords) { EXPECT_EQ(records(ShardRule::Sticky, 2, 1), records(ShardRule::Sticky, 2, 9)); }

TEST(EpochOrder, RotateTakesTheNextRanksRecordsAndComesBack)
{
    EXPECT_EQ(records(ShardRule::Rotate, 0, 2), records(ShardRule::Rotate, 1, 1));
    EXPECT_EQ(records(ShardRule::Rotate, 3, 2), records(ShardRule::Rotate, 0, 1));
    EXPECT_EQ(records(ShardRule::Rotate, 3, 5), records(ShardRule::Rotate, 3, 1));
}

TEST(EpochOrder, ReshuffleTakesOtherRecordsEachEpoch)
{
    EXPECT_NE(records(ShardRule::Reshuffle, 0, 1), records(ShardRule::Reshuffle, 0, 2));
}

TEST(EpochOrder, AWholePassLeavesNothingOut)
{
    std::vector<std::uint32_t> all;
    for (int rank = 0; rank < 4; ++rank) std::ranges::copy(wholeOrder(103, rank, 4), std::back_inserter(all));
    std::vector<std::uint32_t> expected(103);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(all, expected);
}

TEST(EpochOrder, KnowsItsNames)
{
    for (const char* name : {"sticky", "reshuffle", "rotate"}) EXPECT_STREQ(nameOf(shardRuleOf(name)), name);
    EXPECT_THROW((void)shardRuleOf("random"), std::runtime_error);
}
