// SPDX-License-Identifier: MIT
#include "analyzer/report/label_places.h"

#include <gtest/gtest.h>

namespace flowgauge::report {
namespace {

const LabelBox plot{100, 10, 400, 200};

TEST(LabelPlaces, TakesTheFirstPlaceAtWhichNothingStands)
{
    LabelPlaces places;
    ASSERT_TRUE(places.take({{100, 10, 50, 12}}));
    const auto second = places.take({{140, 15, 50, 12}, {150, 10, 50, 12}});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->x, 150) << "side by side is not over one another";
    EXPECT_FALSE(places.take({{100, 10, 50, 12}, {199, 21, 5, 5}})) << "words without a place are left out";
}

TEST(LabelPlaces, TheNameOfACeilingStepsAsideForTheNameOfABand)
{
    constexpr double ceiling = 24;
    LabelPlaces places;
    const auto evaluation = places.take({{430, 10, 60, 12}});
    ASSERT_TRUE(evaluation);
    const auto memory = places.take(placesAlong(ceiling, plot, 90, 12));
    ASSERT_TRUE(memory);
    EXPECT_FALSE(memory->overlaps(*evaluation));
    EXPECT_EQ(memory->x, 410);
    EXPECT_EQ(memory->y, 25) << "below its line, at the same end";
}

TEST(LabelPlaces, NamesOfManyCeilingsAtOneHeightStandSideBySideInsideOfThePlot)
{
    LabelPlaces places;
    std::vector<LabelBox> taken;
    for (int i = 0; i < 8; ++i)
        if (const auto box = places.take(placesAlong(100, plot, 100, 12))) taken.push_back(*box);
    EXPECT_EQ(taken.size(), 8U) << "four above the line, four below it";
    for (std::size_t i = 0; i < taken.size(); ++i) {
        EXPECT_GE(taken[i].x, plot.x);
        EXPECT_LE(taken[i].right(), plot.right());
        for (std::size_t other = 0; other < i; ++other) EXPECT_FALSE(taken[i].overlaps(taken[other])) << i << " and " << other;
    }
    EXPECT_FALSE(places.take(placesAlong(100, plot, 100, 12)));
}

TEST(LabelPlaces, AtThePlotsEdgesTheNameStandsOnTheInnerSideOfItsLine)
{
    EXPECT_EQ(placesAlong(10, plot, 50, 12).front().y, 11);
    EXPECT_EQ(placesAlong(210, plot, 50, 12).front().y, 197);
    EXPECT_TRUE(placesAlong(100, plot, 500, 12).empty()) << "wider than the plot";
}

}  // namespace
}  // namespace flowgauge::report
