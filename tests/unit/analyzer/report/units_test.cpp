// SPDX-License-Identifier: MIT
#include "analyzer/report/units.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace flowgauge::report {
namespace {

TEST(Units, TimesHaveThreeDigitsAndTheUnitAPersonWouldUse)
{
    EXPECT_EQ(duration(0), "0 ns");
    EXPECT_EQ(duration(412), "412 ns");
    EXPECT_EQ(duration(1'500), "1.50 µs");
    EXPECT_EQ(duration(412'000'000), "412 ms");
    EXPECT_EQ(duration(999'600'000), "1.00 s");
    EXPECT_EQ(duration(31'500'000'000), "31.5 s");
    EXPECT_EQ(duration(96'400'000'000), "96.4 s");
    EXPECT_EQ(duration(119'900'000'000), "120 s");
    EXPECT_EQ(duration(150'000'000'000), "2 min 30 s");
    EXPECT_EQ(duration(4'320'000'000'000), "1 h 12 min");
    EXPECT_EQ(duration(-1'500'000), "-1.50 ms");
}

TEST(Units, BytesAreDecimal)
{
    EXPECT_EQ(bytes(0), "0 B");
    EXPECT_EQ(bytes(999), "999 B");
    EXPECT_EQ(bytes(1'000), "1.00 kB");
    EXPECT_EQ(bytes(215e6), "215 MB");
    EXPECT_EQ(bytes(1.2e9), "1.20 GB");
    EXPECT_EQ(bytesPerSecond(12.34e9), "12.3 GB/s");
}

TEST(Units, SharesNeverReadAsZeroWhenTheyAreNot)
{
    EXPECT_EQ(share(0.0), "0 %");
    EXPECT_EQ(share(0.0004), "< 0.1 %");
    EXPECT_EQ(share(0.0021), "0.21 %");
    EXPECT_EQ(share(0.016), "1.6 %");
    EXPECT_EQ(share(0.05), "5 %");
    EXPECT_EQ(share(0.314), "31 %");
    EXPECT_EQ(share(1.0), "100 %");
    EXPECT_EQ(shareRange(0.29, 0.33), "29–33 %");
    EXPECT_EQ(shareRange(0.311, 0.312), "31 %");
    EXPECT_EQ(estimate({0.24, 0.04}), "24 % (± 4 %)");
    EXPECT_EQ(estimate({0.24, 0.0}), "24 %");
    EXPECT_EQ(estimate({0.24, 0.0049}), "24 %") << "an error below what is shown is not shown";
    EXPECT_EQ(estimate({0.24, 0.006}), "24 % (± 0.60 %)");
    EXPECT_EQ(estimate({0.042, 0.0006}), "4.2 % (± < 0.1 %)");
    EXPECT_EQ(estimate({0.042, 0.0004}), "4.2 %");
}

TEST(Units, NothingSaysNanOrInfOrMinusZero)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double odd : {nan, infinite, -infinite, -0.0})
        for (const std::string& text : {share(odd), bytes(odd), perSecond(odd), estimate({odd, odd})}) {
            EXPECT_EQ(text.find("nan"), std::string::npos) << text;
            EXPECT_EQ(text.find("inf"), std::string::npos) << text;
            EXPECT_EQ(text.find("-0"), std::string::npos) << text;
        }
}

TEST(Units, CountsAreGroupedAndRanksAreRanges)
{
    EXPECT_EQ(count(48'211), "48,211");
    EXPECT_EQ(count(-1'234'567), "-1,234,567");
    EXPECT_EQ(count(999), "999");
    EXPECT_EQ(perSecond(29.04), "29.0");
    EXPECT_EQ(perSecond(12'345.6), "12,346");
    EXPECT_EQ(ranks({0, 1, 2}), "rank 0–2");
    EXPECT_EQ(ranks({3}), "rank 3");
    EXPECT_EQ(ranks({0, 2}), "ranks 0, 2");
    EXPECT_EQ(when({8'412'000'000, 8'540'000'000}), "8.412–8.540 s");
    EXPECT_EQ(when({100'000, 300'000}), "0.000100–0.000300 s");
    EXPECT_EQ(when({1'000'000'100, 1'000'000'300}), "1.000000100–1.000000300 s");
    EXPECT_EQ(day(1'796'000'000'000'000'000), "2026-11-30");
}

TEST(Units, WhatIsNotMeasuredSaysWhy)
{
    EXPECT_EQ(orWhy(Measured<double>::missing("no GPU"), share), "not measured (no GPU)");
    EXPECT_EQ(orWhy(Measured<double>(0.5), share), "50 %");
}

}  // namespace
}  // namespace flowgauge::report
