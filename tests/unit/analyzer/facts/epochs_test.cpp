// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_coverage.h"
#include "analyzer/facts/epoch_log.h"
#include "analyzer/facts/process_groups.h"

#include <gtest/gtest.h>

namespace flowgauge::facts {
namespace {

TEST(LogLine, ReadsAllThreeFormsWithPrefixesAndTails)
{
    const auto mllog =
        parseLogLine(R"([1,0]<stdout>:::MLLOG {"namespace": "", "time_ms": 1593141083425, "event_type": "INTERVAL_START", )"
                     R"("key": "epoch_start", "value": null, "metadata": {"file": "t.py", "lineno": 83, "epoch_num": 4}} tail)");
    ASSERT_TRUE(mllog);
    EXPECT_EQ(mllog->key, "epoch_start");
    EXPECT_EQ(mllog->unixNs, 1'593'141'083'425'000'000);
    EXPECT_EQ(mllog->epoch, 4);

    const auto mll =
        parseLogLine(R"(0: :::MLL 1560888652.000 eval_accuracy: {"value": 0.762, "metadata": {"lineno": 980, "epoch_num": 60}})");
    ASSERT_TRUE(mll);
    EXPECT_EQ(mll->key, "eval_accuracy");
    EXPECT_EQ(mll->unixNs, 1'560'888'652'000'000'000);
    EXPECT_EQ(mll->epoch, 60);
    EXPECT_DOUBLE_EQ(mll->value.value_or(0), 0.762);

    const auto older = parseLogLine(":::MLPv0.5.0 resnet 1541720418.000000000 (/workspace/log_utils.py:49) train_epoch: 7");
    ASSERT_TRUE(older);
    EXPECT_EQ(older->key, "train_epoch");
    EXPECT_EQ(older->unixNs, 1'541'720'418'000'000'000);
    EXPECT_EQ(older->epoch, 7);

    EXPECT_FALSE(parseLogLine("loss 0.3"));
    EXPECT_FALSE(parseLogLine(":::MLLOG not json"));
}

PrintedLine mllog(const std::string& key, std::int64_t unixMs, int epoch)
{
    return {-1, R"(:::MLLOG {"time_ms": )" + std::to_string(unixMs) + R"(, "key": ")" + key +
                    R"(", "value": null, "metadata": {"epoch_num": )" + std::to_string(epoch) + "}}"};
}

TEST(EpochLog, EveryRankMayPrintItAndTheFirstStartAndLastStopCount)
{
    const std::vector<PrintedLine> lines{mllog("epoch_start", 1000, 1), mllog("epoch_start", 1001, 1), mllog("epoch_stop", 2000, 1),
                                         mllog("epoch_stop", 2002, 1),  mllog("epoch_start", 2500, 2), mllog("epoch_stop", 3500, 2)};
    const FoundEpochs found = epochsOfLog(lines, 900'000'000, {0, 3'000'000'000});
    ASSERT_EQ(found.source, EpochSource::Log);
    ASSERT_EQ(found.perRank.front().size(), 2U);
    EXPECT_EQ(found.perRank.front()[0].when, (Interval{100'000'000, 1'102'000'000}));
    EXPECT_EQ(found.perRank.front()[1].when, (Interval{1'600'000'000, 2'600'000'000}));
    EXPECT_FALSE(found.perRank.front()[1].open);
}

TEST(EpochLog, LinesWrittenWhenTheRunIsOverTellNothing)
{
    std::vector<PrintedLine> lines;
    for (int epoch = 0; epoch < 10; ++epoch)
        lines.push_back({-1, ":::MLPv0.5.0 resnet 1000.0" + std::to_string(epoch) + " (x.py:1) train_epoch: " + std::to_string(epoch)});
    EXPECT_EQ(epochsOfLog(lines, 0, {0, 1'001'000'000'000}).source, EpochSource::None);
}

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
