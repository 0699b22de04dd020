// SPDX-License-Identifier: MIT
#include "gui/state/command_line.h"
#include "gui/state/history.h"
#include "gui/state/view_state.h"

#include <gtest/gtest.h>

namespace flowgauge::state {
namespace {

constexpr Interval whole{1000, 11'000};

ViewState at(Interval window)
{
    ViewState state;
    state.window = window;
    return state;
}

TEST(ViewStateTest, KeepsAWindowInsideTheRunWithItsLength)
{
    EXPECT_EQ(kept({0, 2000}, whole), (Interval{1000, 3000}));
    EXPECT_EQ(kept({10'000, 12'000}, whole), (Interval{9000, 11'000}));
    EXPECT_EQ(kept({-5000, 50'000}, whole), whole);
    EXPECT_EQ(kept({5000, 5000}, whole, 100), (Interval{5000, 5100}));
}

TEST(ViewStateTest, FramesASelectionWithAQuarterOnEachSide)
{
    EXPECT_EQ(framed({4000, 8000}, whole), (Interval{3000, 9000}));
    EXPECT_EQ(framed({1000, 11'000}, whole), whole);
}

TEST(ViewStateTest, NoRanksMeansAllRanks)
{
    ViewState state;
    EXPECT_TRUE(shows(state, 7));
    state.ranks = {1, 3};
    EXPECT_TRUE(shows(state, 3));
    EXPECT_FALSE(shows(state, 2));
}

TEST(ViewStateTest, AMarkIsSetOnceAndRemovedWhereItLies)
{
    EXPECT_EQ(marked({100}, 200, 10), (std::vector<Nanos>{100, 200}));
    EXPECT_EQ(marked({100, 200}, 105, 10), (std::vector<Nanos>{200}));
    EXPECT_EQ(marked(std::vector<Nanos>(mostMarks, 0), 200, 10), std::nullopt);
}

TEST(HistoryTest, GoesBackAndForwardThroughPlaces)
{
    History history;
    history.visit(at({0, 100}), -1);
    history.visit(at({0, 50}), -1);
    history.visit(at({0, 25}), -1);
    EXPECT_EQ(history.back(), at({0, 50}));
    EXPECT_EQ(history.back(), at({0, 100}));
    EXPECT_EQ(history.back(), std::nullopt);
    EXPECT_EQ(history.forward(), at({0, 50}));
}

TEST(HistoryTest, StepsOfOneGestureAreOnePlace)
{
    History history;
    history.visit(at({0, 100}), -1);
    for (Nanos end = 90; end > 10; --end) history.visit(at({0, end}), 5);
    history.visit(at({0, 5}), 6);
    EXPECT_EQ(history.back(), at({0, 11}));
    EXPECT_EQ(history.back(), at({0, 100}));
}

TEST(HistoryTest, ANewPlaceForgetsTheWayForward)
{
    History history;
    history.visit(at({0, 100}), -1);
    history.visit(at({0, 50}), -1);
    ASSERT_TRUE(history.back());
    history.visit(at({0, 10}), -1);
    EXPECT_FALSE(history.canGoForward());
    EXPECT_EQ(history.back(), at({0, 100}));
}

TEST(CommandLineTest, SaysEverythingThatReopensTheView)
{
    ViewState state;
    state.view = "timeline";
    state.window = Interval{8'412'000'000, 8'540'000'001};
    state.selection = Interval{8'500'000'000, 8'510'000'000};
    state.ranks = {0, 3};
    state.search = "nccl all";
    state.marks = {9'000'000'000, 8'500'000'000};
    EXPECT_EQ(commandLine("my run", state),
              "flowgauge-gui 'my run' --view timeline --window 8.412..8.540000001 --select 8.5..8.51 --ranks 0,3 --search 'nccl all' "
              "--marks 9,8.5");
}

TEST(CommandLineTest, AWindowSurvivesBeingWrittenAndRead)
{
    for (const Interval window :
         {Interval{1, 2}, Interval{-1'500'000'000, 999'999'999}, Interval{123'456'789'012'345, 123'456'789'012'346}})
        EXPECT_EQ(parseWindow(windowText(window)), window);
}

TEST(CommandLineTest, RefusesWhatIsNoPieceOfTime)
{
    for (const char* text : {"", "1", "..", "1..", "2..1", "1..1", "a..b", "1..2x", "nan..1", "0..1e300"})
        EXPECT_EQ(parseWindow(text), std::nullopt) << text;
}

TEST(CommandLineTest, ReadsMarksInTheirOrder)
{
    EXPECT_EQ(parseMarks("9,8.5"), (std::vector<Nanos>{9'000'000'000, 8'500'000'000}));
    for (const char* text : {"", "a", "1,", "1,2,3,4,5,6,7,8,9,10"}) EXPECT_EQ(parseMarks(text), std::nullopt) << text;
}

TEST(CommandLineTest, ReadsRanksInAnyOrderEachOnce)
{
    EXPECT_EQ(parseRanks("3,0,2-4"), (std::vector<int>{0, 2, 3, 4}));
    for (const char* text : {"", "a", "1,", "4-2", "-1", "0-99999999"}) EXPECT_EQ(parseRanks(text), std::nullopt) << text;
}

}  // namespace
}  // namespace flowgauge::state
