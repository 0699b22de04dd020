// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_rhythm.h"

#include <gtest/gtest.h>

namespace flowgauge::facts {
namespace {

constexpr Nanos ms = 1'000'000;

/// Epochs of so many steps of 100 ms, two reductions of different sizes in each; after every epoch all stands for `pause`.
RankFacts rankOf(const std::vector<int>& stepsOfEpochs, Nanos pause)
{
    RankFacts rank;
    Nanos t = 0;
    std::uint64_t sequence = 0;
    for (const int steps : stepsOfEpochs) {
        for (int step = 0; step < steps; ++step, t += 100 * ms) {
            rank.collectives.push_back({1, sequence++, {t + 60 * ms, t + 70 * ms}, 1000, Kind::Allreduce});
            rank.collectives.push_back({1, sequence++, {t + 80 * ms, t + 95 * ms}, 400, Kind::Allreduce});
        }
        t += pause;
    }
    return rank;
}

TEST(EpochRhythm, PausesThatReturnAfterAsManyStepsDivideEpochs)
{
    const auto rhythm = rhythmOf(rankOf({40, 40, 40, 40}, 500 * ms));
    ASSERT_TRUE(rhythm);
    ASSERT_EQ(rhythm->stretches.size(), 4U);
    EXPECT_EQ(rhythm->stretches[0], (Interval{60 * ms, 3995 * ms}));
    EXPECT_EQ(rhythm->stretches[1], (Interval{4560 * ms, 8495 * ms}));
    EXPECT_NEAR(rhythm->confidence, 0.875, 1e-9) << "three pauses";
}

TEST(EpochRhythm, AnEpochOfWhichTheLastStepsAreMissingIsOneToo)
{
    const auto rhythm = rhythmOf(rankOf({40, 40, 15}, 500 * ms));
    ASSERT_TRUE(rhythm);
    EXPECT_EQ(rhythm->stretches.size(), 3U);
}

TEST(EpochRhythm, StepsAloneAreNoEpochs)
{
    EXPECT_FALSE(rhythmOf(rankOf({160}, 0)));
    EXPECT_FALSE(rhythmOf(rankOf({4, 4, 4, 4, 4, 4}, 500 * ms))) << "too few steps for an epoch";
}

TEST(EpochRhythm, PausesThatComeIrregularlyAreNone)
{
    EXPECT_FALSE(rhythmOf(rankOf({20, 55, 31, 80}, 500 * ms)));
    EXPECT_FALSE(rhythmOf(rankOf({40, 40, 40, 40}, 2 * ms))) << "no longer than a gap between steps";
}

TEST(EpochRhythm, WithoutCollectivesStepsTellIt)
{
    RankFacts rank;
    for (std::int64_t step = 0; step < 60; ++step) {
        const Nanos t = step * 100 * ms + step / 20 * 700 * ms;
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
    }
    const auto rhythm = rhythmOf(rank);
    ASSERT_TRUE(rhythm);
    EXPECT_EQ(rhythm->stretches.size(), 3U);
}

/// What a port moves in tenths of a second: epochs of so many seconds, a pause of two seconds behind each.
std::vector<CounterSeries::Rate> portOf(const std::vector<int>& secondsOfEpochs)
{
    std::vector<CounterSeries::Rate> rates;
    const auto add = [&rates](int tenths, double perSecond) {
        for (int i = 0; i < tenths; ++i) {
            const Nanos at = static_cast<Nanos>(rates.size()) * 100 * ms;
            rates.push_back({{at, at + 100 * ms}, perSecond});
        }
    };
    for (const int seconds : secondsOfEpochs) {
        for (int step = 0; step < seconds * 2; ++step) {  // half a second each: every fifth reading finds next to nothing
            add(4, 1e9);
            add(1, 1e3);
        }
        add(20, 1e3);
    }
    return rates;
}

TEST(EpochRhythm, PausesOfAPortDivideEpochsHalfAsSurely)
{
    const auto rhythm = rhythmOfTraffic(portOf({20, 20, 20, 8}));
    ASSERT_TRUE(rhythm);
    ASSERT_EQ(rhythm->stretches.size(), 4U);
    EXPECT_EQ(rhythm->stretches[1], (Interval{22'000 * ms, 41'900 * ms}));
    EXPECT_NEAR(rhythm->confidence, 0.5 * 0.875, 1e-9);
    std::vector<RankFacts> ranks(2);
    EXPECT_EQ(putEpochs(rhythm, ranks), rhythm->confidence);
    EXPECT_EQ(ranks[1].epochs.at(3).number, 4);
    EXPECT_FALSE(putEpochs(std::nullopt, ranks));
}

TEST(EpochRhythm, APortThatAlwaysMovesOrMovesIrregularlyTellsNone)
{
    EXPECT_FALSE(rhythmOfTraffic(portOf({60})));
    EXPECT_FALSE(rhythmOfTraffic(portOf({20, 33, 9, 41})));
    EXPECT_FALSE(rhythmOfTraffic(portOf({5, 5, 5, 5}))) << "pauses too long for what lies between";
    EXPECT_FALSE(rhythmOfTraffic({}));
}

TEST(EpochRhythm, RanksMustAgree)
{
    std::vector<RankFacts> ranks{rankOf({40, 40, 40}, 500 * ms), rankOf({60, 60}, 500 * ms)};
    EXPECT_FALSE(putRhythmEpochs(ranks));
    EXPECT_TRUE(ranks[0].epochs.empty());
    ranks[1] = rankOf({40, 40, 40}, 500 * ms);
    const auto confidence = putRhythmEpochs(ranks);
    ASSERT_TRUE(confidence);
    EXPECT_NEAR(*confidence, 0.75, 1e-9);
    ASSERT_EQ(ranks[1].epochs.size(), 3U);
    EXPECT_EQ(ranks[1].epochs[2].number, 3);
    EXPECT_FALSE(ranks[1].epochs[2].asked.known());
}

}  // namespace
}  // namespace flowgauge::facts
