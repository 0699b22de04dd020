// SPDX-License-Identifier: MIT
#include "collector/sample/text.h"

#include <gtest/gtest.h>
#include <array>

namespace flowgauge::sample {
namespace {

TEST(SampleText, ALineThatWasCutIsNotGivenOut)
{
    Lines lines("one\n\ntwo\nthr");
    std::string_view line;
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "one");
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "");
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "two");
    EXPECT_FALSE(lines.next(line));
}

TEST(SampleText, WordsAreSplitAtAnyRunOfBlanks)
{
    Words words("\t READ:  1 \t 2 ");
    std::string_view word;
    ASSERT_TRUE(words.next(word));
    EXPECT_EQ(word, "READ:");
    ASSERT_TRUE(words.next(word));
    EXPECT_EQ(word, "1");
    ASSERT_TRUE(words.next(word));
    EXPECT_EQ(word, "2");
    EXPECT_FALSE(words.next(word));
}

TEST(SampleText, OnlyWholeDecimalNumbersAreNumbers)
{
    std::uint64_t value = 7;
    EXPECT_TRUE(parseNumber("18446744073709551615", value));
    EXPECT_EQ(value, UINT64_MAX);
    for (const char* const text : {"18446744073709551616", "", "-1", "12x", "0x10", "N/A (no PMA)", " 1"}) {
        value = 7;
        EXPECT_FALSE(parseNumber(text, value)) << text;
        EXPECT_EQ(value, 7U) << text;
    }
}

TEST(SampleText, AValueFileMayEndInTwoNewlines)
{
    std::uint64_t value = 0;
    EXPECT_TRUE(parseValueFile("2\n\n", value));
    EXPECT_EQ(value, 2U);
    EXPECT_FALSE(parseValueFile("N/A (no PMA)\n", value));
    EXPECT_FALSE(parseValueFile("", value));
}

TEST(SampleText, NumbersEndAtTheFirstOtherWord)
{
    std::array<std::uint64_t, 4> value{};
    EXPECT_EQ(parseNumbers("1 2 x 4", value), 2U);
    EXPECT_EQ(parseNumbers("1 2 3 4 5", value), 4U);
    EXPECT_EQ(value[3], 4U);
}

}  // namespace
}  // namespace flowgauge::sample
