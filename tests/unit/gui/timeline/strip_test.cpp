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

std::vector<Column> columns(const Strip& shown, const TimeScale& scale) { return columnsOf(shown, spansOf(shown, scale)); }

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
    const auto made = columns(strip({1, 0, 0.5F, 0.5F, 0, 0, 0, 0}), {{0, 128}, 4});
    ASSERT_EQ(made.size(), 4U);
    EXPECT_FLOAT_EQ(made[0].busy, 0.5F);
    EXPECT_FLOAT_EQ(made[1].busy, 0.5F);
    EXPECT_TRUE(made[1].any);
    EXPECT_FALSE(made[2].any);
    EXPECT_EQ(made[0].tone, Tone::Storage);
}

TEST(ColumnsTest, ACoarseStripRepeatsAndEndsWhereItEnds)
{
    const auto made = columns(strip({1, 0}), {{0, 64}, 64});
    EXPECT_TRUE(made[15].any);
    EXPECT_FALSE(made[16].any);
    EXPECT_TRUE(made[31].known);
    EXPECT_FALSE(made[32].known);
}

TEST(ColumnsTest, AnEventTooShortToHaveAHeightIsStillThere)
{
    EXPECT_TRUE(columns(strip({0.0001F, 0, 0, 0, 0, 0, 0, 0}), {{0, 128}, 1})[0].any);
}

TEST(SpanCacheTest, StripsThatLieAlikeShareTheirSpans)
{
    SpanCache cache({{0, 128}, 4});
    const Spans& spans = cache.of(strip({1, 0, 1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(spans.size(), 4U);
    EXPECT_EQ(&cache.of(strip({0, 0, 0, 0, 0, 0, 0, 1})), &spans);
    EXPECT_EQ(cache.of(strip({1, 0}))[1].last, 0U) << "a strip that ends before has no cells there";
    EXPECT_EQ(spans[3].first, 6U);
}

TEST(ValuesTest, LeaveOutWhatWasNotMeasured)
{
    Strip made{0, 4, 4, {}, {{10, unknown, 30, unknown}}};
    const Spans spans = spansOf(made, {{0, 64}, 2});
    const auto values = valuesOf(made.lines[0], spans);
    EXPECT_FLOAT_EQ(values[0], 10);
    EXPECT_FLOAT_EQ(values[1], 30);
    made.lines[0] = {unknown, unknown, unknown, unknown};
    EXPECT_FLOAT_EQ(valuesOf(made.lines[0], spans)[0], unknown);
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
