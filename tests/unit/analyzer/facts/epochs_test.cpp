// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_coverage.h"
#include "analyzer/facts/process_groups.h"

#include <gtest/gtest.h>

namespace flowgauge::facts {
namespace {

std::vector<Visit> passesOver(int files, int passes)
{
    VisitBuilder builder(1);
    Nanos t = 0;
    for (int pass = 0; pass < passes; ++pass)
        for (int file = 1; file <= files; ++file) {
            builder.open(file);
            for (std::int64_t offset = 0; offset < 400; offset += 100, t += 10) builder.read(file, {t, t + 5}, offset, 100);
        }
    return builder.take();
}

TEST(Coverage, ANewEpochBeginsWhenAFileIsReadAgain)
{
    const auto visits = passesOver(5, 3);
    ASSERT_EQ(visits.size(), 15U);
    EXPECT_EQ(visits.front().reads.bytes, 400);
    EXPECT_EQ(visits.front().reads.calls, 4);
    const auto epochs = epochsOfVisits(visits, 1000);
    ASSERT_EQ(epochs.size(), 3U);
    EXPECT_EQ(epochs[0].epoch.when, (Interval{0, 200}));
    EXPECT_EQ(epochs[1].epoch.when, (Interval{200, 400}));
    EXPECT_EQ(epochs[2].epoch.when, (Interval{400, 1000}));
    for (const CoverageEpoch& epoch : epochs) EXPECT_EQ(epoch.reads.bytes, 2000);
}

TEST(Coverage, AFileThatIsReadAllTheTimeEndsNoEpoch)
{
    VisitBuilder builder(1);
    Nanos t = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int file = 1; file <= 6; ++file) {
            builder.open(99);
            builder.read(99, {t, t + 1}, 0, 8);
            builder.open(file);
            builder.read(file, {t + 2, t + 5}, 0, 100);
            t += 10;
        }
    const auto epochs = epochsOfVisits(builder.take(), 1000);
    ASSERT_EQ(epochs.size(), 2U);
    EXPECT_EQ(epochs[0].reads.bytes, 6 * 100 + 6 * 8 + 8);  // the index is read just before the first file of the second pass
}

TEST(Coverage, NothingReadTwiceMeansNoEpochIsFound) { EXPECT_TRUE(epochsOfVisits(passesOver(5, 1), 1000).empty()); }

store::ProcessRow processOf(store::Id id, std::int64_t pid, std::int64_t parent, std::optional<std::int64_t> rank)
{
    store::ProcessRow row;
    row.id = id;
    row.host = 1;
    row.pid = pid;
    row.parentPid = parent;
    row.processStart = id;
    row.beginNs = id;
    row.rank = rank;
    return row;
}

TEST(ProcessGroups, WorkersJoinTheRankOfTheirNearestAncestor)
{
    const auto groups = groupProcesses(
        {processOf(1, 100, 1, 0), processOf(2, 200, 1, 1), processOf(3, 201, 200, {}), processOf(4, 202, 201, {})}, {1, 2, 3, 4});
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].processes.size(), 1U);
    EXPECT_EQ(groups[1].processes.size(), 3U);
    EXPECT_EQ(groups[1].processes.front().pid, 200);
}

TEST(ProcessGroups, WithoutAnyRankEachRootIsCountedAndTheLauncherIsLeftOut)
{
    const auto groups = groupProcesses({processOf(1, 50, 1, {}), processOf(2, 100, 9, {}), processOf(3, 101, 100, {})}, {2, 3});
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_FALSE(groups[0].named);
    EXPECT_EQ(groups[0].rank, 0);
    EXPECT_EQ(groups[0].processes.size(), 2U);
}

}  // namespace
}  // namespace flowgauge::facts
