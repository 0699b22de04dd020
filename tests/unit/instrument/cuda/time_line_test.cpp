// SPDX-License-Identifier: MIT
#include "instrument/cuda/time_line.h"
#include "instrument/cuda/governor.h"
#include "instrument/cuda/wishes.h"

#include <gtest/gtest.h>

namespace flowgauge::cuda {
namespace {

constexpr Nanos second = 1'000'000'000;

/// A machine whose TSC runs at 3 GHz and whose CLOCK_REALTIME is what the test says.
TimePair pairAt(Nanos rawNs, std::int64_t realtimeOffset, double realtimePerRaw = 1)
{
    return {static_cast<std::uint64_t>(static_cast<double>(rawNs) * realtimePerRaw) + static_cast<std::uint64_t>(realtimeOffset),
            static_cast<Ticks>(rawNs) * 3, rawNs};
}

constexpr std::int64_t epoch = 1'700'000'000 * second;

TEST(TimeLine, TurnsNanosecondsIntoTicks)
{
    TimeLine line;
    EXPECT_EQ(line.add(pairAt(10 * second, epoch)), 0);
    EXPECT_EQ(line.add(pairAt(11 * second, epoch)), 0);
    EXPECT_EQ(line.at(static_cast<std::uint64_t>(10 * second + epoch + 500'000)), static_cast<Ticks>(10 * second + 500'000) * 3);
    EXPECT_TRUE(line.isNanoseconds());
}

TEST(TimeLine, TakesAClockOfAnotherUnit)
{
    TimeLine line;
    for (Nanos at = 10 * second; at <= 15 * second; at += second / 4) EXPECT_EQ(line.add(pairAt(at, 77, 2.5)), 0);
    EXPECT_NEAR(static_cast<double>(line.at(static_cast<std::uint64_t>(2.5 * 14.3 * second) + 77)), 14.3 * second * 3, 100);
    EXPECT_FALSE(line.isNanoseconds());
}

TEST(TimeLine, ManyPairsCloseTogetherDoNotSpoilItsSlope)
{
    TimeLine line;
    for (Nanos at = 10 * second; at < 12 * second; at += 20'000) {
        TimePair pair = pairAt(at, epoch);
        pair.ticks += static_cast<Ticks>(at / 20'000 % 3) * 300;  // each reading is off by up to 0.2 us
        line.add(pair);
    }
    const auto wanted = static_cast<double>(11 * second * 3);
    EXPECT_NEAR(static_cast<double>(line.at(static_cast<std::uint64_t>(11 * second + epoch))), wanted, 3 * 1000);
}

TEST(TimeLine, EachSideOfAStepHasItsOwnLine)
{
    for (const std::int64_t step : {10 * second, -10 * second}) {
        TimeLine line;
        for (Nanos at = 10 * second; at <= 14 * second; at += second) EXPECT_EQ(line.add(pairAt(at, epoch)), 0);
        EXPECT_NEAR(static_cast<double>(line.add(pairAt(15 * second, epoch + step))), static_cast<double>(step), 1e6);
        const auto before = static_cast<std::uint64_t>(14 * second + epoch + second / 10);
        const auto after = static_cast<std::uint64_t>(15 * second - second / 10 + epoch + step);
        EXPECT_EQ(line.at(before) / 3, static_cast<Ticks>(14 * second + second / 10));
        EXPECT_EQ(line.at(after) / 3, static_cast<Ticks>(15 * second - second / 10));
        EXPECT_EQ(line.add(pairAt(16 * second, epoch + step)), 0);
        EXPECT_EQ(line.at(static_cast<std::uint64_t>(15 * second + second / 2 + epoch + step)) / 3,
                  static_cast<Ticks>(15 * second + second / 2));
    }
}

TEST(TimeLine, SlewingIsNoStep)
{
    TimeLine line;
    for (Nanos at = 10 * second; at <= 20 * second; at += second) EXPECT_EQ(line.add(pairAt(at, epoch, 1.0005)), 0);
}

TEST(TimeLine, HoldsOnlyTimesOfTheRecording)
{
    TimeLine line;
    line.add(pairAt(100 * second, epoch));
    line.add(pairAt(101 * second, epoch));
    EXPECT_TRUE(line.holds(static_cast<Ticks>(100 * second) * 3, 0));
    EXPECT_FALSE(line.holds(static_cast<Ticks>(89 * second) * 3, 10 * second));
    EXPECT_FALSE(line.holds(static_cast<Ticks>(112 * second) * 3, 10 * second));
}

TEST(Governor, StepsDownAfterTwoDearPiecesInARowAndNotAtTheStart)
{
    Governor governor(0.03);
    const Cost dear{second, second / 50, second / 50}, cheap{second, second / 100, 0};
    for (int start = 0; start < 3; ++start) EXPECT_FALSE(governor.isDue(dear));
    EXPECT_FALSE(governor.isDue(dear));
    EXPECT_FALSE(governor.isDue(cheap));
    EXPECT_FALSE(governor.isDue(dear));
    EXPECT_TRUE(governor.isDue(dear));
    EXPECT_NEAR(governor.share(), 0.04, 1e-9);
    EXPECT_FALSE(governor.isDue(dear));
    EXPECT_TRUE(governor.isDue(dear));
}

TEST(Wishes, AreWordsInAnyOrder)
{
    const Wishes wishes = wishesOf("sync,api,nonsense");
    EXPECT_TRUE(wishes.sync && wishes.api);
    EXPECT_FALSE(wishes.off || wishes.driver || wishes.graph || wishes.hold || wishes.always);
    EXPECT_TRUE(wishesOf("off").off);
    EXPECT_FALSE(wishesOf("").off);
}

}  // namespace
}  // namespace flowgauge::cuda
