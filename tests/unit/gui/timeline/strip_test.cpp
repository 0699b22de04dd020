// SPDX-License-Identifier: MIT
#include "gui/timeline/strip.h"

#include <gtest/gtest.h>

namespace flowgauge::timeline {
namespace {

/// Eight cells of 16 ns from 0, of which some are busy.
Strip strip(const std::vector<float>& busy)
{
    Strip made{0, 4, busy.size(), {}, {}};
    for (const float share : busy) {
        Cell cell;
        cell.busy = share;
        cell.events = share > 0 ? 2 : 0;
        cell.tone = share > 0 ? Tone::Storage : Tone::None;
        made.cells.push_back(cell);
    }
    return made;
}

TEST(StripFrameTest, HasOneToTwoCellsAPixelAndHalfAWindowOfMargin)
{
    const StripFrame frame = frameFor({{10'000, 20'000}, 1000}, {0, 100'000});  // 10 ns a pixel
    EXPECT_EQ(frame.widthLog2, 3);
    EXPECT_EQ(frame.begin, 5000 / 8 * 8);
    EXPECT_GE(frame.begin + static_cast<Nanos>(frame.count) * 8, 25'000);
    EXPECT_LT(frame.begin + static_cast<Nanos>(frame.count) * 8, 25'000 + 8);
}

TEST(StripFrameTest, StaysInsideTheRun)
{
    const StripFrame frame = frameFor({{0, 1000}, 100}, {0, 1000});
    EXPECT_EQ(frame.begin, 0);
    EXPECT_EQ(frame.count, 125U);  // of 8 ns
}

TEST(StripFrameTest, AnOverviewTakesInTheWholeRunWithNoMoreCellsThanAsked)
{
    const StripFrame frame = overviewOf({1'000'000, 9'000'000'000}, 2048);
    EXPECT_LE(frame.count, 2049U);
    EXPECT_GT(frame.count, 1024U);
    EXPECT_LE(frame.begin, 1'000'000);
    EXPECT_GE(frame.begin + (static_cast<Nanos>(frame.count) << frame.widthLog2), 9'000'000'000);
}

TEST(ColumnsTest, AverageTheCellsOfAPixel)
{
    const auto columns = columnsOf(strip({1, 0, 0.5F, 0.5F, 0, 0, 0, 0}), {{0, 128}, 4});
    ASSERT_EQ(columns.size(), 4U);
    EXPECT_FLOAT_EQ(columns[0].busy, 0.5F);
    EXPECT_FLOAT_EQ(columns[1].busy, 0.5F);
    EXPECT_TRUE(columns[1].any);
    EXPECT_FALSE(columns[2].any);
    EXPECT_EQ(columns[0].tone, Tone::Storage);
}

TEST(ColumnsTest, ACoarseStripRepeatsAndEndsWhereItEnds)
{
    const auto columns = columnsOf(strip({1, 0}), {{0, 64}, 64});
    EXPECT_TRUE(columns[15].any);
    EXPECT_FALSE(columns[16].any);
    EXPECT_TRUE(columns[31].known);
    EXPECT_FALSE(columns[32].known);
}

TEST(ColumnsTest, AnEventTooShortToHaveAHeightIsStillThere)
{
    const auto columns = columnsOf(strip({0.0001F, 0, 0, 0, 0, 0, 0, 0}), {{0, 128}, 1});
    EXPECT_TRUE(columns[0].any);
}

TEST(ValuesTest, LeaveOutWhatWasNotMeasured)
{
    Strip made{0, 4, 4, {}, {{10, unknown, 30, unknown}}};
    const auto values = valuesOf(made.lines[0], made, {{0, 64}, 2});
    EXPECT_FLOAT_EQ(values[0], 10);
    EXPECT_FLOAT_EQ(values[1], 30);
    made.lines[0] = {unknown, unknown, unknown, unknown};
    EXPECT_FLOAT_EQ(valuesOf(made.lines[0], made, {{0, 64}, 2})[0], unknown);
}

TEST(StripTest, TellsTheCellUnderATimeAndTheEventsOfAWindow)
{
    const Strip made = strip({1, 0, 1, 1, 0, 0, 0, 0});
    EXPECT_EQ(eventsIn(made, {0, 48}), 4U);
    ASSERT_NE(cellUnder(made, 33), nullptr);
    EXPECT_FLOAT_EQ(cellUnder(made, 33)->busy, 1);
    EXPECT_EQ(cellUnder(made, 128), nullptr);
    EXPECT_TRUE(made.covers({-50, 100}, {0, 128}));
    EXPECT_FALSE(made.covers({0, 200}, {0, 300}));
}

}  // namespace
}  // namespace flowgauge::timeline
