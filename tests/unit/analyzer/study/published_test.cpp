// SPDX-License-Identifier: MIT
#include "analyzer/study/published.h"

#include <gtest/gtest.h>

namespace flowgauge::study {
namespace {

Published firstStudy()
{
    Published published;
    published.runs = {{1, 1.0, 61}, {2, 1.8, 62}, {8, 4.9, 81}};
    published.links = {{2, 25e9 / 8, 100e9 / 8, 0.06}};
    return published;
}

TEST(Published, ThroughputIsSpeedUpTimesEpochs)
{
    const Published published = firstStudy();
    EXPECT_NEAR(published.scalingOf(*published.runOn(8)), 6.51, 0.005);
    EXPECT_NEAR(published.scalingOf(*published.runOn(1)), 1, 1e-9);
    EXPECT_EQ(published.runOn(4), nullptr);
}

TEST(Published, AGainIsOfThatChangeOfLinksAlone)
{
    const Published published = firstStudy();
    EXPECT_EQ(published.gainOf(2, 3.1e9, 12.5e9), 0.06) << "links are measured at a little less than their name";
    EXPECT_FALSE(published.gainOf(4, 3.1e9, 12.5e9));
    EXPECT_FALSE(published.gainOf(2, 3.1e9, 25e9));
    EXPECT_FALSE(published.gainOf(2, 1.2e9, 12.5e9));
}

}  // namespace
}  // namespace flowgauge::study
