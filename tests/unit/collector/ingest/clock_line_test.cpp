// SPDX-License-Identifier: MIT
#include "collector/ingest/clock_line.h"

#include <gtest/gtest.h>

namespace flowgauge::ingest {
namespace {

constexpr Nanos second = 1'000'000'000;

TEST(ClockLine, OneAnchorUsesTheFallbackSlope)
{
    ClockLine line({{1000, 5000, 0, 0}}, 0.5, 100);
    EXPECT_EQ(line.at(1000), 5100);
    EXPECT_EQ(line.at(3000), 6100);
    EXPECT_EQ(line.at(800), 5000);
}

TEST(ClockLine, BetweenAnchorsEachPieceHasItsOwnSlope)
{
    // 2 ticks a ns in the first second, 4 in the next
    ClockLine line({{0, 0, 0, 0}, {2 * second, second, 0, 0}, {6 * second, 2 * second, 0, 0}}, 1, 0);
    EXPECT_EQ(line.at(second), second / 2);
    EXPECT_EQ(line.at(4 * second), second + second / 2);
}

TEST(ClockLine, OutsideTheAnchorsTheNearestSlopeGoesOn)
{
    ClockLine line({{10 * second, 10 * second, 0, 0}, {12 * second, 11 * second, 0, 0}, {13 * second, 12 * second, 0, 0}}, 1, 0);
    EXPECT_EQ(line.at(8 * second), 9 * second);
    EXPECT_EQ(line.at(15 * second), 14 * second);
}

TEST(ClockLine, AnchorsCloserThanTenMillisecondsDoNotBendTheLine)
{
    ClockLine line({{0, 0, 0, 0}, {1000, 3000, 0, 0}, {second, second, 0, 0}}, 1, 0);
    EXPECT_EQ(line.at(second / 2), second / 2);
}

TEST(ClockLine, TimesJumpingBetweenPiecesAreFoundAgain)
{
    ClockLine line({{0, 0, 0, 0}, {2 * second, second, 0, 0}, {6 * second, 2 * second, 0, 0}}, 1, 0);
    EXPECT_EQ(line.at(6 * second), 2 * second);
    EXPECT_EQ(line.at(0), 0);
    EXPECT_EQ(line.at(2 * second), second);
}

}  // namespace
}  // namespace flowgauge::ingest
