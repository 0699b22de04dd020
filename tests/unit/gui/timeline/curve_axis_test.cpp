// SPDX-License-Identifier: MIT
#include "gui/timeline/curve_axis.h"

#include <gtest/gtest.h>

namespace flowgauge::timeline {
namespace {

Row port(double ceiling)
{
    Row row;
    row.kind = RowKind::Counter;
    row.ceiling = ceiling;
    return row;
}

TEST(CurveAxisTest, EndsAtTheNextRoundValue)
{
    EXPECT_EQ(curveAxis(port(0), 1.2e6).end, 1.5e6);
    EXPECT_EQ(curveAxis(port(0), 8e6).end, 1e7);
    EXPECT_EQ(curveAxis(port(0), 0).end, 1);
    EXPECT_FALSE(curveAxis(port(0), 1.2e6).showsCeiling);
}

TEST(CurveAxisTest, ALinkThatIsNearlyFullIsDrawnAndOneFarAboveIsNot)
{
    EXPECT_TRUE(curveAxis(port(12.5e9), 11e9).showsCeiling);
    EXPECT_EQ(curveAxis(port(12.5e9), 11e9).end, 15e9);
    EXPECT_FALSE(curveAxis(port(12.5e9), 1e6).showsCeiling);
    EXPECT_EQ(curveAxis(port(12.5e9), 1e6).end, 1e6);
}

TEST(CurveAxisTest, AShareEndsAtOne)
{
    Row row = port(0);
    row.unit = Unit::Share;
    EXPECT_EQ(curveAxis(row, 0.1).end, 1);
}

}  // namespace
}  // namespace flowgauge::timeline
