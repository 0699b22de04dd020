// SPDX-License-Identifier: MIT
#include "gui/timeline/chart.h"

#include <gtest/gtest.h>

#include <limits>

namespace flowgauge::timeline {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Chart barsOf(ChartShape shape, std::vector<std::vector<double>> values)
{
    Chart chart;
    chart.shape = shape;
    for (auto& one : values) chart.series.push_back({"s", Tone::Compute, std::move(one), false, false});
    return chart;
}

TEST(Chart, AxisEndsAreRoundAndHoldTheLargestSum)
{
    EXPECT_EQ(barsOf(ChartShape::StackedBars, {{3, 1}, {4, 9}}).range(), (std::pair{0.0, 12.0}));
    EXPECT_EQ(barsOf(ChartShape::Bars, {{3, 1}, {4, 9}}).range(), (std::pair{0.0, 10.0}));
    EXPECT_EQ(barsOf(ChartShape::StackedBars, {{-3}, {7}}).range(), (std::pair{-4.0, 8.0}));
    EXPECT_EQ(barsOf(ChartShape::Lines, {}).range().first, 0);
}

TEST(Chart, SharesEndAtTheWholeAndTimesAtRoundMinutes)
{
    Chart chart = barsOf(ChartShape::Lines, {{0.99, 1}});
    chart.measure = Measure::Share;
    EXPECT_EQ(chart.range().second, 1);
    chart.series[0].values = {1.1};
    EXPECT_GT(chart.range().second, 1.1) << "an efficiency can be more";
    constexpr double hour = 3600e9;
    chart.measure = Measure::Duration;
    chart.series[0].values = {3.6 * hour};
    EXPECT_EQ(chart.range().second, 4 * hour);
    EXPECT_EQ(ChartLayout(chart, {10, 10}).levels(4), (std::vector<double>{0, hour, 2 * hour, 3 * hour, 4 * hour}));
}

TEST(Chart, ACeilingFarAboveDoesNotPressTheValuesToTheGround)
{
    Chart chart = barsOf(ChartShape::Lines, {{10, 20}});
    chart.ceilings = {{40, "near"}, {1000, "far"}};
    ASSERT_EQ(chart.shownCeilings().size(), 1U);
    EXPECT_EQ(chart.shownCeilings().front().label, "near");
    EXPECT_LT(chart.range().second, 60);
}

TEST(Chart, WhatIsNotFiniteIsNotDrawnAndBreaksTheLine)
{
    const Chart chart = barsOf(ChartShape::Lines, {{1, nan, 2, 3}});
    const ChartLayout layout(chart, {400, 100});
    const auto lines = layout.lines(0);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].size(), 1U);
    EXPECT_EQ(lines[1].size(), 2U);
    EXPECT_EQ(lines[1][0].x, 250);
    EXPECT_FALSE(barsOf(ChartShape::Lines, {{nan, nan}}).hasValues());
}

TEST(Chart, StackedBarsStandOnEachOtherAndFillTheirSum)
{
    const Chart chart = barsOf(ChartShape::StackedBars, {{2}, {3}});
    const ChartLayout layout(chart, {100, 60});
    const auto bars = layout.bars();
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_DOUBLE_EQ(bars[0].y, bars[1].y + bars[1].height);
    EXPECT_DOUBLE_EQ(bars[0].y + bars[0].height, layout.yOf(0));
    EXPECT_DOUBLE_EQ(bars[1].y, layout.yOf(5));
    EXPECT_TRUE(bars[0].contains(50, bars[0].y + 1));
}

TEST(Chart, BarsBesideEachOtherDoNotOverlap)
{
    const Chart chart = barsOf(ChartShape::Bars, {{2, 2}, {3, 3}});
    const auto bars = ChartLayout(chart, {200, 60}).bars();
    ASSERT_EQ(bars.size(), 4U);
    EXPECT_LE(bars[0].x + bars[0].width, bars[2].x + 1e-9);
    EXPECT_LE(bars[2].x + bars[2].width, 100);
}

TEST(Chart, APlaceBelongsToOneSlotAndOutsideToNone)
{
    const Chart chart = barsOf(ChartShape::Bars, {{1, 1, 1, 1}});
    const ChartLayout layout(chart, {400, 60});
    EXPECT_EQ(layout.slotAt(0), 0U);
    EXPECT_EQ(layout.slotAt(399.9), 3U);
    EXPECT_EQ(layout.slotAt(400), std::nullopt);
    EXPECT_EQ(layout.slotAt(-1), std::nullopt);
}

TEST(Chart, LevelsAreRound)
{
    const Chart chart = barsOf(ChartShape::Bars, {{97}});
    EXPECT_EQ(ChartLayout(chart, {10, 10}).levels(5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
    EXPECT_EQ(roundStep(0, 5), 1);
    const Chart flat = barsOf(ChartShape::Lines, {{0, nan, 0}});
    EXPECT_EQ(ChartLayout(flat, {10, 10}).levels(5), std::vector<double>{0}) << "of nothing there are no parts";
}

TEST(Grid, StrengthFollowsTheLogarithmAndNothingStaysNothing)
{
    Grid grid;
    grid.columns = 4;
    grid.rows = 1;
    grid.values = {0, 1, 10, 100};
    const auto strengths = grid.strengths();
    EXPECT_FLOAT_EQ(strengths[0], 0);
    EXPECT_FLOAT_EQ(strengths[1], 0.25F);
    EXPECT_FLOAT_EQ(strengths[2], 0.625F);
    EXPECT_FLOAT_EQ(strengths[3], 1);
}

TEST(Grid, NamesAreSpreadOverTheRows)
{
    Grid grid;
    grid.rows = 10;
    EXPECT_EQ(grid.rowName(3), "");
    grid.rowNames = {"a", "b"};
    EXPECT_EQ(grid.rowName(4), "a");
    EXPECT_EQ(grid.rowName(5), "b");
}

}  // namespace
}  // namespace flowgauge::timeline
