// SPDX-License-Identifier: MIT
#include "gui/timeline/bars.h"
#include "gui/timeline/flows.h"
#include "gui/timeline/selection_stats.h"
#include "gui/timeline/tone.h"

#include <gtest/gtest.h>

#include <array>

namespace flowgauge::timeline {
namespace {

Bar bar(Nanos begin, Nanos end)
{
    Bar made;
    made.event.begin = begin;
    made.event.end = end;
    return made;
}

store::StoredEvent read(Nanos begin, Nanos end, store::Id file, std::int64_t bytes)
{
    return {begin, end, 0, Kind::FileRead, 0, {file, 0, bytes, bytes}};
}

void add(SelectionStats& stats, const store::StoredEvent& event)
{
    store::EventColumns batch;
    batch.assign({&event, 1});
    stats.add(batch);
}

TEST(BarsTest, OverlappingOnesGetLanesOfTheirOwn)
{
    std::vector<Bar> bars{bar(0, 10), bar(5, 20), bar(10, 12), bar(11, 30), bar(20, 25)};
    EXPECT_EQ(assignLanes(bars), 3);
    std::vector<int> lanes;
    for (const Bar& one : bars) lanes.push_back(one.lane);
    EXPECT_EQ(lanes, (std::vector<int>{0, 1, 0, 2, 0}));
}

TEST(BarsTest, BeyondTheLastLaneTheyShareItAndNoneVanishes)
{
    std::vector<Bar> bars(20, bar(0, 10));
    EXPECT_EQ(assignLanes(bars, 4), 4);
    EXPECT_EQ(bars.size(), 20U);
    EXPECT_EQ(bars.back().lane, 3);
}

TEST(BarsTest, TheShortestUnderThePixelIsHitElseTheNearest)
{
    const TimeScale scale{{0, 100}, 100};
    const std::vector<Bar> bars{bar(0, 50), bar(10, 20), bar(70, 71)};
    EXPECT_EQ(barAt(bars, scale, 15, -1), 1);
    EXPECT_EQ(barAt(bars, scale, 40, -1), 0);
    EXPECT_EQ(barAt(bars, scale, 69, -1), 2);
    EXPECT_EQ(barAt(bars, scale, 90, -1), -1);
    EXPECT_EQ(barAt(bars, scale, 15, 1), -1);
}

TEST(SelectionStatsTest, CountsByKindAndNameWithTimeInsideTheSelectionOnly)
{
    SelectionStats stats({100, 200});
    add(stats, read(90, 110, 7, 1000));
    add(stats, read(150, 160, 7, 500));
    add(stats, read(190, 300, 8, 1));
    const auto sums = stats.sums();
    ASSERT_EQ(sums.size(), 2U);
    EXPECT_EQ(sums[0].name, 7);
    EXPECT_EQ(sums[0].count, 2);
    EXPECT_EQ(sums[0].bytes, 1500);
    EXPECT_EQ(sums[0].total, 20);
    EXPECT_EQ(sums[0].whole, 30);
    EXPECT_EQ(sums[0].longest, 20);
    EXPECT_EQ(sums[1].total, 10);
    EXPECT_EQ(sums[1].whole, 110);
    EXPECT_EQ(sums[1].longest, 110);
}

TEST(SelectionStatsTest, KeepsACountOfNamesThatAreTooMany)
{
    SelectionStats stats({0, 1'000'000});
    for (store::Id file = 1; file <= 5000; ++file) add(stats, read(file, file + 1, file, 1));
    std::int64_t count = 0;
    for (const NameSum& sum : stats.sums()) count += sum.count;
    EXPECT_EQ(count, 5000);
    EXPECT_EQ(stats.sums().size(), 4097U);
    EXPECT_EQ(stats.sums().front().name, otherNames);
}

TEST(SelectionStatsTest, WhatLiesOutsideAndSamplesOfCountersAreNotCounted)
{
    SelectionStats stats({100, 200});
    add(stats, read(90, 100, 7, 1000));
    add(stats, read(200, 210, 7, 1000));
    add(stats, {150, 150, 0, Kind::CounterSample, 0, {1, 2, 3, 0}});
    EXPECT_TRUE(stats.sums().empty());
    add(stats, read(100, 100, 7, 1000));  // an instant
    EXPECT_EQ(stats.sums().at(0).count, 1);
}

TEST(SelectionStatsTest, TwoHalvesAreTheSumsOfTheWhole)
{
    const Interval selection{100, 30'000};
    SelectionStats whole(selection), left(selection), right(selection);
    for (Nanos i = 0; i < 4000; ++i) {
        const store::StoredEvent event = read(i * 10, i * 10 + i % 97, 1 + i % 7, i);
        add(whole, event);
        add(i % 3 == 0 ? left : right, event);
    }
    left += right;
    const auto expected = whole.sums();
    const auto merged = left.sums();
    ASSERT_EQ(merged.size(), expected.size());
    for (std::size_t i = 0; i < merged.size(); ++i) {
        const auto figures = [](const NameSum& sum) {
            return std::tuple(sum.kind, sum.name, sum.count, sum.bytes, sum.total, sum.whole, sum.longest, sum.durations.percentile(0.5),
                              sum.durations.percentile(0.99));
        };
        EXPECT_EQ(figures(merged[i]), figures(expected[i]));
    }
}

TEST(DurationHistogramTest, PercentilesAreWithinFivePercent)
{
    DurationHistogram histogram;
    for (Nanos ns = 1; ns <= 10'000; ++ns) histogram.add(ns * 1000);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(0.5)), 5e6, 5e6 * 0.05);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(0.99)), 9.9e6, 9.9e6 * 0.05);
    EXPECT_EQ(DurationHistogram().percentile(0.5), 0);
    DurationHistogram longest;
    longest.add(INT64_MAX);
    EXPECT_GT(longest.percentile(1), INT64_MAX / 2);
}

/// Of the collective alone.
std::vector<Partner> partnersOf(const facts::RunFacts& run, std::size_t rankAt, const store::StoredEvent& event)
{
    const std::vector<Flow> flows = flowsOf(run, rankAt, event, 1);
    return flows.empty() ? std::vector<Partner>() : flows.front().partners;
}

TEST(FlowsTest, JoinsOneCollectiveOverAllRanksAndNamesWhoCameLast)
{
    facts::RunFacts run;
    std::vector<facts::RankFacts>& ranks = run.ranks;
    ranks.resize(3);
    for (std::size_t rank = 0; rank < 3; ++rank)
        for (std::uint64_t sequence = 1; sequence <= 2; ++sequence) {
            const Nanos begin = static_cast<Nanos>(sequence * 100 + rank * 10);
            ranks[rank].collectives.push_back({9, sequence, {begin, static_cast<Nanos>(sequence * 100 + 50)}, 64, Kind::Allreduce});
        }
    const store::StoredEvent event{210, 250, 0, Kind::Allreduce, 0, {9, 64, 2, -1}};
    const auto partners = partnersOf(run, 1, event);
    ASSERT_EQ(partners.size(), 3U);
    EXPECT_EQ(partners[0].when, (Interval{200, 250}));
    EXPECT_FALSE(partners[0].last);
    EXPECT_TRUE(partners[2].last);
    EXPECT_TRUE(partnersOf(run, 1, read(210, 250, 1, 1)).empty());
}

/// Two hosts, the second one's clock 1000 ns ahead, known to 10 ns or so; its rank comes first, though its recorded time is later.
TEST(FlowsTest, ArrivalsOnTwoHostsAreComparedByOneClockAndSayHowSureTheyAre)
{
    facts::RunFacts run;
    run.ranks.resize(2);
    run.ranks[0].host = "node-0";
    run.ranks[1].host = "node-1";
    run.ranks[0].collectives.push_back({9, 1, {5100, 5200}, 64, Kind::Allreduce});
    run.ranks[1].collectives.push_back({9, 1, {6050, 6200}, 64, Kind::Allreduce});
    run.clocks = facts::Clocks(run.ranks, {}, {{"node-1", "node-0", {6000, 6020}, {5010, 5010}}});
    const auto partners = partnersOf(run, 0, {5100, 5200, 0, Kind::Allreduce, 0, {9, 64, 1, -1}});
    ASSERT_EQ(partners.size(), 2U);
    EXPECT_EQ(partners[0].came, 5100);
    EXPECT_EQ(partners[0].doubt, 0);
    EXPECT_EQ(partners[1].when, (Interval{6050, 6200}));
    EXPECT_NEAR(static_cast<double>(partners[1].came), 5050, 2);
    EXPECT_NEAR(static_cast<double>(partners[1].doubt), 10, 2);
    EXPECT_TRUE(partners[0].last);
    const Arrivals arrivals = arrivalsOf(partners);
    EXPECT_EQ(arrivals.first.rankAt, 1U);
    EXPECT_EQ(arrivals.apart, 5100 - partners[1].came);
    EXPECT_EQ(arrivals.doubt, partners[1].doubt);
    EXPECT_TRUE(arrivals.isSure());
}

TEST(FlowsTest, WithoutAKnownClockARankHasNoPlaceAmongTheOthers)
{
    facts::RunFacts run;
    run.ranks.resize(2);
    run.ranks[0].host = "node-0";
    run.ranks[1].host = "node-1";
    run.clocks = facts::Clocks(run.ranks);  // nothing that they did together bounds it
    for (facts::RankFacts& rank : run.ranks) rank.collectives.push_back({9, 1, {100, 200}, 64, Kind::Allreduce});
    const auto partners = partnersOf(run, 0, {100, 200, 0, Kind::Allreduce, 0, {9, 64, 1, -1}});
    ASSERT_EQ(partners.size(), 2U);
    EXPECT_TRUE(partners[0].isPlaced());
    EXPECT_FALSE(partners[1].isPlaced());
    EXPECT_FALSE(arrivalsOf(partners).isSure());
}

/// Ranks 0 to 3 that call in this order, each call 10 ns long: 0 and 1 share communicator 1, 2 and 3 communicator 2, all of them 9.
facts::RunFacts pairsAndAll()
{
    facts::RunFacts run;
    run.ranks.resize(4);
    for (std::size_t rank = 0; rank < 4; ++rank)
        for (std::uint64_t i = 0; i < 6; ++i) {
            const std::uint64_t pair = rank < 2 ? 1 : 2;
            const Nanos begin = static_cast<Nanos>(i * 100 + rank);
            run.ranks[rank].collectives.push_back({i % 2 == 0 ? pair : 9, i / 2, {begin, begin + 10}, 64, Kind::Allreduce});
        }
    return run;
}

/// Communicator and sequence, hop, and how many ranks take part.
std::vector<std::array<std::uint64_t, 4>> reached(const facts::RunFacts& run, int hops, std::size_t rankAt, Nanos begin)
{
    std::vector<std::array<std::uint64_t, 4>> all;
    for (const Flow& flow : flowsOf(run, rankAt, {begin, begin + 10, 0, Kind::Allreduce, 0, {}}, hops)) {
        const Partner& first = flow.partners.front();
        const facts::CollectiveCall& call = run.ranks[first.rankAt].collectives[first.call];
        all.push_back({call.comm, call.sequence, static_cast<std::uint64_t>(flow.hop), flow.partners.size()});
    }
    return all;
}

TEST(FlowsTest, EachHopGoesToTheCollectivesRightBeforeAndAfterOfEveryRankThatTookPart)
{
    using Reached = std::vector<std::array<std::uint64_t, 4>>;
    const facts::RunFacts run = pairsAndAll();
    const Reached one{{9, 0, 1, 4}};
    const Reached two{{9, 0, 1, 4}, {1, 0, 2, 2}, {1, 1, 2, 2}, {2, 0, 2, 2}, {2, 1, 2, 2}};
    Reached three = two;
    three.push_back({9, 1, 3, 4});  // once, though both pairs lead there
    EXPECT_EQ(reached(run, 1, 0, 100), one);
    EXPECT_EQ(reached(run, 2, 0, 100), two);
    EXPECT_EQ(reached(run, 3, 0, 100), three);
    EXPECT_EQ(reached(run, 0, 0, 100), one) << "less than the collective itself is nothing to ask for";
}

TEST(FlowsTest, AHopSaysWhereItCameFromAndThroughWhom)
{
    const std::vector<Flow> flows = flowsOf(pairsAndAll(), 2, {2, 12, 0, Kind::Allreduce, 0, {}}, 3);
    ASSERT_EQ(flows.size(), 5U);  // the first of ranks 2 and 3; all; then the first and the second of ranks 0 and 1, the second of its own
    EXPECT_EQ(flows[1].from, 0U);
    EXPECT_EQ(flows[1].via, 2U);
    EXPECT_EQ(flows[2].from, 1U);
    EXPECT_EQ(flows[2].via, 0U);
    EXPECT_EQ(flows[2].hop, 3);
}

TEST(FlowsTest, NeitherHopsNorCollectivesAreFollowedWithoutEnd)
{
    facts::RunFacts run;
    run.ranks.resize(2);
    for (std::uint64_t i = 0; i < 200; ++i)
        for (facts::RankFacts& rank : run.ranks) {
            const Nanos begin = static_cast<Nanos>(i * 100);
            rank.collectives.push_back({9, i, {begin, begin + 10}, 64, Kind::Allreduce});
        }
    const store::StoredEvent middle{10'000, 10'010, 0, Kind::Allreduce, 0, {}};
    EXPECT_EQ(flowsOf(run, 0, middle, 1000).size(), 1U + 2 * (mostHops - 1));
    run.ranks.resize(200);  // of which each of the others makes calls of its own right before and after
    for (std::size_t rank = 2; rank < 200; ++rank)
        for (std::uint64_t i = 0; i < 3; ++i) {
            const Nanos begin = 9'950 + static_cast<Nanos>(i * 50);
            run.ranks[rank].collectives.push_back({i == 1 ? 9 : 100 + rank, i == 1 ? 100 : i, {begin, begin + 10}, 64, Kind::Allreduce});
        }
    EXPECT_EQ(flowsOf(run, 0, middle, 2).size(), mostFlows);
}

TEST(BarsTest, ALaunchAndItsKernelAreTied)
{
    Bar launch = bar(0, 10), kernel = bar(20, 30), other = bar(40, 50);
    launch.event.link = kernel.event.link = 7;
    EXPECT_TRUE(areTied(launch, kernel));
    EXPECT_FALSE(areTied(launch, other));
    EXPECT_FALSE(areTied(other, other)) << "0 ties nothing";
}

TEST(ToneTest, ANameHasTheSameShadeEverywhere)
{
    EXPECT_EQ(shadeOf("train-00001.rec"), shadeOf(std::string("train-00001.rec")));
    EXPECT_LT(shadeOf("anything"), shadeCount);
    EXPECT_EQ(toneOf(Kind::Allreduce), Tone::HiddenCommunication);
    EXPECT_EQ(toneOf(Kind::FileRead), Tone::Storage);
    EXPECT_EQ(toneOf(Kind::Kernel), Tone::Compute);
    EXPECT_EQ(toneOfPhase("evaluation"), Tone::Evaluation);
    EXPECT_EQ(toneOfPhase("backward"), Tone::Compute);
}

}  // namespace
}  // namespace flowgauge::timeline
