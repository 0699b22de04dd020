// SPDX-License-Identifier: MIT
#include "gui/timeline/time_scale.h"

#include <gtest/gtest.h>

#include <set>

namespace flowgauge::timeline {
namespace {

constexpr Interval whole{0, 100'000'000'000};
constexpr Nanos second = 1'000'000'000;

std::vector<std::string> labels(Interval window, double width = 1000)
{
    std::vector<std::string> result;
    for (const Tick& tick : ticksOf({window, width}))
        if (!tick.label.empty()) result.push_back(tick.label);
    return result;
}

TEST(TimeScaleTest, MapsTimesToPixelsAndBack)
{
    const TimeScale scale{{1000, 3000}, 500};
    EXPECT_DOUBLE_EQ(scale.xOf(2000), 250);
    EXPECT_EQ(scale.timeAt(250), 2000);
    EXPECT_DOUBLE_EQ(scale.xOf(500), -125);
}

TEST(TimeScaleTest, ZoomingKeepsWhatIsUnderTheCursor)
{
    const TimeScale scale{{20 * second, 60 * second}, 1000};
    const Interval zoomed = scale.zoomed(0.5, 250, whole);
    EXPECT_EQ(zoomed, (Interval{25 * second, 45 * second}));
    EXPECT_EQ((TimeScale{zoomed, 1000}.timeAt(250)), scale.timeAt(250));
}

TEST(TimeScaleTest, ZoomingOutEndsAtTheWholeRunAndInAtTheShortestWindow)
{
    const TimeScale scale{{20 * second, 60 * second}, 1000};
    EXPECT_EQ(scale.zoomed(100, 700, whole), whole);
    EXPECT_EQ(scale.zoomed(1e-15, 500, whole).length(), 100);
}

TEST(TimeScaleTest, PanningStopsAtTheEnds)
{
    const TimeScale scale{{20 * second, 60 * second}, 1000};
    EXPECT_EQ(scale.panned(100, whole), (Interval{24 * second, 64 * second}));
    EXPECT_EQ(scale.panned(-9999, whole), (Interval{0, 40 * second}));
    EXPECT_EQ(scale.panned(9999, whole), (Interval{60 * second, 100 * second}));
}

TEST(TicksTest, StandAtRoundTimes)
{
    EXPECT_EQ(labels({0, 10 * second}), (std::vector<std::string>{"0 s", "2 s", "4 s", "6 s", "8 s"}));
    EXPECT_EQ(labels({second, second + 1'000'000}), (std::vector<std::string>{"1.0000 s", "1.0002 s", "1.0004 s", "1.0006 s", "1.0008 s"}));
    EXPECT_EQ(labels({0, 3600 * second}, 500), (std::vector<std::string>{"0 s", "15:00 min", "30:00 min", "45:00 min"}));
}

TEST(TicksTest, NeverReadTheSameAndNeverLieCloserThanAsked)
{
    for (Nanos length = 100; length < 1'000'000 * second; length *= 7) {
        const Interval window{12'345'678'901, 12'345'678'901 + length};
        std::set<std::string> seen;
        double last = -1000;
        for (const Tick& tick : ticksOf({window, 1600})) {
            EXPECT_TRUE(window.contains(tick.at));
            if (tick.label.empty()) continue;
            EXPECT_TRUE(seen.insert(tick.label).second) << tick.label << " twice in " << length;
            EXPECT_GE(tick.x - last, 109) << length;
            last = tick.x;
        }
        EXPECT_GE(seen.size(), 2U) << length;
    }
}

TEST(TicksTest, NothingForAnEmptyWindowOrNoWidth)
{
    EXPECT_TRUE(ticksOf({{5, 5}, 100}).empty());
    EXPECT_TRUE(ticksOf({{5, 50}, 0}).empty());
}

}  // namespace
}  // namespace flowgauge::timeline
