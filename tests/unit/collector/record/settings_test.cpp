// SPDX-License-Identifier: MIT
#include "collector/record/settings.h"

#include "collector/record/kind.h"

#include <gtest/gtest.h>
#include <cstdlib>

using namespace flowgauge;

namespace {

std::uint64_t parsed(std::string_view text)
{
    std::uint64_t value = 999;
    return parseSize(text, value) ? value : 999;
}

bool has(const KindMask& mask, Kind kind) { return mask[static_cast<std::size_t>(kind)]; }

}  // namespace

TEST(Sizes, AreDigitsWithAPowerOf1024)
{
    EXPECT_EQ(parsed("0"), 0U);
    EXPECT_EQ(parsed("4096"), 4096U);
    EXPECT_EQ(parsed("2k"), 2048U);
    EXPECT_EQ(parsed("64M"), std::uint64_t{64} << 20);
    EXPECT_EQ(parsed("3G"), std::uint64_t{3} << 30);
    EXPECT_EQ(parsed("18446744073709551615"), ~std::uint64_t{0});
}

TEST(Sizes, RefuseAllElse)
{
    for (const char* text : {"", "M", "-1", "1.5G", "12X", "1 M", "1MM", "18446744073709551616", "17179869184G"})
        EXPECT_EQ(parsed(text), 999U) << text;
}

TEST(Kinds, AreAllWantedByAnEmptyList)
{
    const KindMask mask = kindMaskOf("");
    for (const KindRow& row : kindRows) EXPECT_TRUE(has(mask, row.kind)) << row.sqlName;
}

TEST(Kinds, AreNamedByKindOrLaneAndMetaAlwaysStays)
{
    const KindMask mask = kindMaskOf("io,allreduce");
    for (const KindRow& row : kindRows)
        EXPECT_EQ(has(mask, row.kind), row.lane == Lane::Io || row.lane == Lane::Meta || row.kind == Kind::Allreduce) << row.sqlName;
}

TEST(Kinds, UnknownWordsAreFoundForAMessage)
{
    EXPECT_EQ(unknownKindWord("io,alreduce,comm"), "alreduce");
    EXPECT_EQ(unknownKindWord("io,gpu,counter,mark"), "");
    EXPECT_EQ(unknownKindWord(""), "");
}

TEST(Settings, ComeFromTheEnvironmentElseFromTheTable)
{
    ::unsetenv("FLOWGAUGE_SAMPLE");
    EXPECT_STREQ(settingOf(Variable::SampleMs), "100");
    ::setenv("FLOWGAUGE_SAMPLE", "20", 1);
    EXPECT_EQ(numberOf(Variable::SampleMs), 20U);
    ::setenv("FLOWGAUGE_SAMPLE", "often", 1);
    EXPECT_EQ(numberOf(Variable::SampleMs), 100U);
    ::setenv("FLOWGAUGE_SAMPLE", "", 1);
    EXPECT_EQ(numberOf(Variable::SampleMs), 100U);
    ::unsetenv("FLOWGAUGE_SAMPLE");
}
