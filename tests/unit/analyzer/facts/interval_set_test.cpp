// SPDX-License-Identifier: MIT
#include "analyzer/facts/interval_set.h"
#include "analyzer/facts/piece_limit.h"

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

TEST(IntervalSet, AppendClosesGapsOfAtMostWhatItIsTold)
{
    IntervalSet set;
    for (const Interval next : Intervals{{0, 10}, {15, 20}, {26, 30}}) set.append(next, 5);
    EXPECT_EQ(set.intervals(), (Intervals{{0, 20}, {26, 30}}));
}

TEST(IntervalSet, CoarsenedKeepsItsTotalAndNothingLeavesItsCell)
{
    IntervalSet set = IntervalSet::of({{-30, -20}, {-15, -5}, {10, 20}, {30, 40}, {120, 140}, {150, 160}, {170, 180}, {190, 200}});
    set.coarsen(7);  // cells of 128: 120 .. 140 lies in two, the last one may still grow
    EXPECT_EQ(set.intervals(), (Intervals{{-30, -10}, {10, 30}, {120, 140}, {150, 170}, {190, 200}}));
    EXPECT_EQ(set.total(), 90);
    set.coarsen(8);
    EXPECT_EQ(set.intervals(), (Intervals{{-30, -10}, {10, 70}, {190, 200}}));
}

TEST(PieceLimit, HoldsASetOfAnyNumberOfPiecesAtAnExactTotal)
{
    PieceLimit limit{100};
    IntervalSet set;
    std::mt19937 random(1);
    Nanos total = 0;
    Nanos at = 0;
    for (int i = 0; i < 100'000; ++i) {
        const Nanos length = 1 + random() % 50;
        limit.append(set, {at, at + length});
        ASSERT_LE(set.size(), 200U);
        at += length + 1 + random() % 50;
        total += length;
    }
    limit.keep(set);
    EXPECT_LE(set.size(), 100U);
    EXPECT_EQ(set.total(), total);
    EXPECT_LE(limit.cell(), 4 * at / 100);
    const Interval half{0, at / 2};
    EXPECT_NEAR(static_cast<double>(set.totalWithin(half)), static_cast<double>(total) / 2, static_cast<double>(total) / 25);
}

TEST(PieceLimit, LeavesASetThatFitsAsItIs)
{
    PieceLimit limit{100};
    IntervalSet set;
    for (Nanos at = 0; at < 100; ++at) limit.append(set, {2 * at, 2 * at + 1});
    const IntervalSet before = set;
    limit.keep(set);
    EXPECT_EQ(set, before);
    EXPECT_EQ(limit.cell(), 0);
}

}  // namespace
}  // namespace flowgauge::facts
