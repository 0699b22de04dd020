// SPDX-License-Identifier: MIT
#include "analyzer/cli/suggestion.h"
#include "analyzer/cli/window.h"
#include "collector/record/error.h"

#include <gtest/gtest.h>

namespace flowgauge::cli {
namespace {

TEST(Suggestion, NamesTheNearestWordWithinTwoSlips)
{
    const std::vector<std::string_view> words{"run", "report", "query"};
    EXPECT_EQ(nearest("reprot", words), "report");  // two neighbours swapped
    EXPECT_EQ(nearest("repor", words), "report");
    EXPECT_EQ(nearest("qurey", words), "query");
    EXPECT_EQ(nearest("rnu", words), "run");
    EXPECT_EQ(nearest("xyz", words), "") << "nothing alike";
    EXPECT_EQ(nearest("", words), "");
    EXPECT_EQ(nearest(std::string(1000, 'r'), words), "");
}

TEST(Window, IsTwoTimesInSeconds)
{
    EXPECT_EQ(parseWindow("1.5..3"), (Interval{1'500'000'000, 3'000'000'000}));
    EXPECT_EQ(parseWindow("0..0.000000001"), (Interval{0, 1}));
    for (const char* bad : {"", "1", "1..", "..2", "2..1", "1..1", "a..b", "1..2x", "-1..2", "nan..2", "1..inf", "1...2"})
        EXPECT_THROW((void)parseWindow(bad), Error) << bad;
}

}  // namespace
}  // namespace flowgauge::cli
