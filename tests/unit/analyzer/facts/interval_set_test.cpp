// SPDX-License-Identifier: MIT
#include "analyzer/facts/interval_set.h"

#include <gtest/gtest.h>
#include <random>

namespace flowgauge::facts {
namespace {

using Intervals = std::vector<Interval>;

TEST(IntervalSet, UnionMergesWhatOverlapsOrTouchesAndDropsWhatIsEmpty)
{
    const IntervalSet set = IntervalSet::of({{50, 60}, {10, 20}, {15, 30}, {30, 35}, {40, 40}, {45, 42}});
    EXPECT_EQ(set.intervals(), (Intervals{{10, 35}, {50, 60}}));
    EXPECT_EQ(set.total(), 35);
    EXPECT_EQ(set.extent(), (Interval{10, 60}));
}

TEST(IntervalSet, MinusCutsHolesAndKeepsTheRest)
{
    const IntervalSet communication = IntervalSet::of({{0, 100}, {200, 300}});
    const IntervalSet compute = IntervalSet::of({{-5, 10}, {20, 30}, {90, 250}});
    EXPECT_EQ(communication.minus(compute).intervals(), (Intervals{{10, 20}, {30, 90}, {250, 300}}));
    EXPECT_EQ(communication.intersected(compute).intervals(), (Intervals{{0, 10}, {20, 30}, {90, 100}, {200, 250}}));
}

TEST(IntervalSet, OneHoleMayCutSeveralIntervals)
{
    const IntervalSet set = IntervalSet::of({{0, 10}, {12, 20}, {22, 30}});
    EXPECT_EQ(set.minus(IntervalSet::of({{5, 25}})).intervals(), (Intervals{{0, 5}, {25, 30}}));
}

TEST(IntervalSet, WithinClipsToTheWindow)
{
    const IntervalSet set = IntervalSet::of({{0, 10}, {20, 30}, {40, 50}});
    EXPECT_EQ(set.within({5, 45}).intervals(), (Intervals{{5, 10}, {20, 30}, {40, 45}}));
    EXPECT_EQ(set.totalWithin({5, 45}), 20);
    EXPECT_TRUE(set.within({10, 20}).empty());
}

TEST(IntervalSet, LongestComesFirstAndEqualOnesInOrderOfTime)
{
    const IntervalSet set = IntervalSet::of({{0, 5}, {10, 30}, {40, 45}, {50, 52}});
    EXPECT_EQ(set.longest(3), (Intervals{{10, 30}, {0, 5}, {40, 45}}));
    EXPECT_EQ(set.longest(9).size(), 4U);
}

TEST(IntervalSet, AnEmptySetAnswersZero)
{
    const IntervalSet none;
    EXPECT_EQ(none.total(), 0);
    EXPECT_EQ(none.extent(), Interval{});
    EXPECT_EQ(none.united(none), none);
    EXPECT_EQ(none.minus(IntervalSet::of({{1, 2}})), none);
    EXPECT_TRUE(none.longest(3).empty());
}

/// The same algebra, one moment at a time.
std::vector<bool> momentsOf(const IntervalSet& set, std::size_t end)
{
    std::vector<bool> moments(end);
    for (const Interval& interval : set.intervals())
        for (Nanos t = interval.begin; t < interval.end; ++t) moments[static_cast<std::size_t>(t)] = true;
    return moments;
}

TEST(IntervalSet, AgreesWithCountingMomentsOnRandomSets)
{
    std::mt19937 random(7);
    const auto randomSet = [&] {
        Intervals intervals;
        for (int i = 0; i < 12; ++i) {
            const Nanos begin = static_cast<Nanos>(random() % 190);
            intervals.push_back({begin, begin + static_cast<Nanos>(random() % 10)});
        }
        return IntervalSet::of(intervals);
    };
    for (int round = 0; round < 300; ++round) {
        const IntervalSet left = randomSet();
        const IntervalSet right = randomSet();
        const auto a = momentsOf(left, 200);
        const auto b = momentsOf(right, 200);
        std::vector<bool> both(200), either(200), only(200);
        for (std::size_t t = 0; t < 200; ++t) {
            both[t] = a[t] && b[t];
            either[t] = a[t] || b[t];
            only[t] = a[t] && !b[t];
        }
        ASSERT_EQ(momentsOf(left.intersected(right), 200), both);
        ASSERT_EQ(momentsOf(left.united(right), 200), either);
        ASSERT_EQ(momentsOf(left.minus(right), 200), only);
        ASSERT_EQ(left.intersected(right).total() + left.minus(right).total(), left.total());
    }
}

}  // namespace
}  // namespace flowgauge::facts
