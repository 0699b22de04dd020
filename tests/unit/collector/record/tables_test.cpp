// SPDX-License-Identifier: MIT
#include "collector/record/counter.h"
#include "collector/record/drop_reason.h"
#include "collector/record/makers.h"
#include "collector/record/settings.h"

#include <gtest/gtest.h>
#include <cerrno>
#include <set>

using namespace flowgauge;

namespace {

/// Lower case, digits and underscores: a name that SQL takes without quotes.
bool isSqlName(std::string_view name)
{
    if (name.empty()) return false;
    for (const char c : name)
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_') return false;
    return true;
}

template <typename Rows>
void expectNamesAndSentences(const Rows& rows)
{
    std::set<std::string_view> names;
    for (const auto& row : rows) {
        EXPECT_TRUE(isSqlName(row.sqlName)) << row.sqlName;
        EXPECT_TRUE(names.insert(row.sqlName).second) << row.sqlName << " stands twice";
        EXPECT_FALSE(row.sentence.empty()) << row.sqlName;
    }
}

}  // namespace

TEST(Tables, HaveNamesThatAreUniqueAndSentences)
{
    expectNamesAndSentences(kindRows);
    expectNamesAndSentences(counterRows);
    expectNamesAndSentences(dropReasonRows);
}

TEST(Tables, NumberTheirRowsInOrder)
{
    for (std::size_t i = 0; i < kindCount; ++i) EXPECT_EQ(static_cast<std::size_t>(kindRows[i].kind), i);
    for (std::size_t i = 0; i < counterCount; ++i) EXPECT_EQ(static_cast<std::size_t>(counterRows[i].counter), i);
    EXPECT_FALSE(isKind(kindCount));
    EXPECT_FALSE(isCounter(counterCount));
}

TEST(Tables, GiveEveryArgumentANameAndAType)
{
    const std::set<std::string_view> types{"name", "bytes", "result", "count", "number", "flags", "comm", "rank", "ticks"};
    for (const KindRow& row : kindRows)
        for (const std::string_view argument : row.arguments) {
            if (argument.empty()) continue;
            const std::size_t colon = argument.find(':');
            ASSERT_NE(colon, std::string_view::npos) << row.sqlName << ": " << argument;
            EXPECT_TRUE(isSqlName(argument.substr(0, colon))) << argument;
            EXPECT_TRUE(types.contains(argument.substr(colon + 1))) << row.sqlName << ": " << argument;
        }
}

TEST(Tables, CollectivesAreTheKindsWithASequenceNumber)
{
    for (const KindRow& row : kindRows) EXPECT_EQ(isCollective(row.kind), row.arguments[2] == "sequence:count") << row.sqlName;
}

TEST(Makers, FillTheArgumentsOfTheKindsRow)
{
    const Event read = fileTransfer({10, 20}, Kind::FileRead, {7, -1, 4096, 8192}, flagPositional);
    EXPECT_EQ(read.begin, 10U);
    EXPECT_EQ(read.end, 20U);
    EXPECT_EQ(read.kind, Kind::FileRead);
    EXPECT_EQ(read.flags, flagPositional);
    EXPECT_EQ(read.arg, (std::array<std::uint64_t, 4>{7, ~std::uint64_t{0}, 4096, 8192}));
    const Event reduce = collective({1, 2}, Kind::Allreduce, {5, 100, 3, -1}, flagMpi);
    EXPECT_EQ(reduce.arg, (std::array<std::uint64_t, 4>{5, 100, 3, ~std::uint64_t{0}}));
}

TEST(Makers, FlagFailures)
{
    EXPECT_EQ(fileOpen({0, 0}, 1, 0, -ENOENT).flags & flagFailed, flagFailed);
    EXPECT_EQ(fileOpen({0, 0}, 1, 0, 3).flags & flagFailed, 0);
    EXPECT_EQ(fileTransfer({0, 0}, Kind::FileRead, {1, 0, -EIO, 1}).flags & flagFailed, flagFailed);
}

TEST(Makers, PutDeviceAndStreamOfEveryGpuEventWhereItsTrackIsMadeFrom)
{
    for (const KindRow& row : kindRows) {
        if (row.lane != Lane::Gpu) continue;
        EXPECT_EQ(row.arguments[1], "device:number") << row.sqlName;
        EXPECT_EQ(row.arguments[2], "stream:number") << row.sqlName;
    }
    const GpuPlace place{3, 7, 99};
    for (const Event& event :
         {kernel({1, 2}, 5, place, 4), gpuTransfer({1, 2}, Kind::GpuCopy, 5, place, 4), gpuSync({1, 2}, 5, place, 4)}) {
        EXPECT_EQ(event.arg, (std::array<std::uint64_t, 4>{5, 3, 7, 4}));
        EXPECT_EQ(event.link, 99U);
    }
    EXPECT_EQ(streamThread(3, 7), (std::int64_t{3} << 32) + 7);
    EXPECT_EQ(streamThread(0, -1), 0xFFFFFFFF);
}

TEST(Makers, TellHowACollectiveWasCarriedOut)
{
    const Event detail = commDetail({1, 2}, {8, -1, 16, NcclSource::KernelName}, 42);
    EXPECT_EQ(detail.arg, (std::array<std::uint64_t, 4>{8, ~std::uint64_t{0}, 16, 3}));
    EXPECT_EQ(detail.link, 42U);
    EXPECT_EQ(gpuApi({1, 2}, 6, -1, 42).arg, (std::array<std::uint64_t, 4>{6, ~std::uint64_t{0}, 0, 0}));
    EXPECT_EQ(range({1, 2}, 6, 7, -1, 3).arg, (std::array<std::uint64_t, 4>{6, 7, ~std::uint64_t{0}, 3}));
}
