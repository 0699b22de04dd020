// SPDX-License-Identifier: MIT
#include "gui/load/epochs_data.h"

#include "analyzer/report/units.h"
#include "gui/models/epoch_figures.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <sstream>

namespace flowgauge::load {
namespace {

constexpr Nanos second = 1'000'000'000;

/// Two ranks, three epochs of ten seconds with a second between them; the first one reads from storage.
class EpochsData : public facts::SmallRun {
protected:
    store::RunStore& threeEpochs()
    {
        for (int rank = 0; rank < 2; ++rank) {
            const store::Id id = process(100 + rank, rank, 2);
            std::int64_t fetched = 0;
            sample(id, Counter::ProcessReadBytes, second, 0);
            for (int epoch = 1; epoch <= 3; ++epoch) {
                const Nanos begin = (epoch - 1) * 11 * second + second;
                mark(id, Kind::EpochMark, {begin, begin + 10 * second}, epoch, 640);
                for (int step = 0; step < 10; ++step) {
                    const Nanos at = begin + step * second;
                    mark(id, Kind::StepMark, {at, at + second}, step, 64);
                    phase(id, "forward", {at + second / 4, at + second / 2 + rank * second / 10});
                    read(id, "/data/a", {at, at + second / 5}, 1'000'000);
                    put(id, {at + second / 2, at + second, 0, Kind::Allreduce, 0, {1, 4'000'000, epoch * 10 + step, -1}});
                }
                fetched += epoch == 1 ? 10'000'000 : 0;
                sample(id, Counter::ProcessReadBytes, begin + 10 * second, fetched);
            }
        }
        return finished();
    }
};

TEST_F(EpochsData, OfAllRanksAreTheReportsOwnRows)
{
    const auto analysis = analysisOf(threeEpochs(), "run1");
    const auto epochs = epochFigures(*analysis, {});
    ASSERT_EQ(epochs.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        const findings::EpochRow& row = analysis->report.summary.epochs[i];
        EXPECT_EQ(epochs[i].row.time, row.time);
        EXPECT_EQ(epochs[i].row.asked, row.asked);
        EXPECT_EQ(epochs[i].row.fetched, row.fetched);
        EXPECT_EQ(epochs[i].row.fromCache, row.fromCache);
        EXPECT_EQ(epochs[i].row.samplesPerSecond, row.samplesPerSecond);
        EXPECT_EQ(epochs[i].ranks, 2);
    }
}

TEST_F(EpochsData, ThePartsOfAnEpochAddUpToItsTimeOnAllRanks)
{
    const auto analysis = analysisOf(threeEpochs(), "run1");
    for (const EpochFigures& epoch : epochFigures(*analysis, {})) {
        const facts::TimeParts& parts = epoch.parts;
        EXPECT_EQ(parts.wall, 2 * epoch.when.length());
        EXPECT_EQ(parts.compute + parts.exposedCommunication + parts.exposedCopy + parts.inputStall + parts.otherIdle, parts.wall);
        EXPECT_GT(parts.compute, 0);
        EXPECT_GT(parts.exposedCommunication, 0);
    }
}

TEST_F(EpochsData, WhatAThinnedRecordingLeftOutIsNoIdleTime)
{
    for (int rank = 0; rank < 2; ++rank) {
        const store::Id id = process(100 + rank, rank, 2);
        mark(id, Kind::EpochMark, {0, 10 * second}, 1, 640);
        for (int step = 0; step < 10; step += 5) {
            const Nanos at = step * second;
            mark(id, Kind::StepMark, {at, at + second}, step, 64);
            phase(id, "forward", {at, at + second / 2});
            put(id, {at + second / 2, at + second, 0, Kind::Allreduce, 0, {1, 4'000'000, step, -1}});
        }
    }
    store.putLedger({0, 0, "steps", "degraded", "one of 5 steps is written", 5});
    const auto analysis = analysisOf(finished(), "run1");
    EXPECT_EQ(analysis->facts.everyStep(), 5);
    const auto epochs = epochFigures(*analysis, {});
    ASSERT_EQ(epochs.size(), 1U);
    EXPECT_EQ(epochs[0].parts.wall, 4 * second);  // two ranks, two steps each
    EXPECT_EQ(epochs[0].parts.compute, 2 * second);
    EXPECT_EQ(epochs[0].parts.exposedCommunication, 2 * second);
    EXPECT_EQ(epochs[0].parts.otherIdle, 0);
    EXPECT_EQ(epochs[0].unwritten, 16 * second);
    const timeline::Chart chart = models::epochTimes(epochs);
    ASSERT_EQ(chart.series.size(), 3U);
    EXPECT_EQ(chart.series[2].tone, timeline::Tone::Unwritten);
    EXPECT_EQ(chart.series[2].values, std::vector<double>{8e9});
}

TEST_F(EpochsData, OfOneRankAreItsOwnAndRanksAddUpToAll)
{
    const auto analysis = analysisOf(threeEpochs(), "run1");
    const auto all = epochFigures(*analysis, {});
    const auto first = epochFigures(*analysis, {0});
    const auto second_ = epochFigures(*analysis, {1});
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(first[i].ranks, 1);
        EXPECT_EQ(first[i].row.asked.value() + second_[i].row.asked.value(), all[i].row.asked.value());
        EXPECT_EQ(first[i].parts.wall + second_[i].parts.wall, all[i].parts.wall);
        EXPECT_LT(first[i].parts.compute, second_[i].parts.compute);
    }
}

TEST_F(EpochsData, TheTableReadsLikeTheTextReport)
{
    const auto analysis = analysisOf(threeEpochs(), "run1");
    const std::string text = report::textOf(analysis->report);
    const auto epochs = epochFigures(*analysis, {});
    const auto rows = models::epochRows(epochs, {});
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string line;
        std::istringstream lines(text.substr(text.find("\nepoch") + 1));
        for (std::size_t skip = 0; skip < i + 2; ++skip) std::getline(lines, line);
        for (const std::size_t column : {1U, 2U, 8U, 9U, 12U})  // time, samples/s, asked, fetched, from cache
            EXPECT_NE(line.find(rows[i][column].text.toStdString()), std::string::npos)
                << "column " << column << ": " << rows[i][column].text.toStdString() << " not in: " << line;
    }
}

TEST_F(EpochsData, ColdAgainstWarmTakesTheMedianOfTheLaterOnes)
{
    const auto analysis = analysisOf(threeEpochs(), "run1");
    const auto cold = coldAgainstWarm(epochFigures(*analysis, {}));
    ASSERT_TRUE(cold.has_value());
    EXPECT_EQ(cold->first, 10 * second);
    EXPECT_EQ(cold->firstFetched.value(), 20'000'000);
    EXPECT_EQ(cold->laterFetched.value(), 0);
    EXPECT_FALSE(coldAgainstWarm({}).has_value());
}

TEST_F(EpochsData, FlowsAreTheGrowthOfTheMachinesCounters)
{
    const store::Id id = process(100, 0);
    read(id, "/data/a", {1, 2}, 10);
    sample(0, Counter::NicRxBytes, 0, 1000, "eth0");
    sample(0, Counter::NicRxBytes, 10 * second, 6000, "eth0");
    const Cancel cancel = std::make_shared<std::atomic<bool>>(false);
    const auto flows = epochFlows(finished(), {{0, 5 * second}, {5 * second, 10 * second}}, cancel);
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_NEAR(flows[0].received.value(), 2500, 1);
    EXPECT_NEAR(flows[1].received.value(), 2500, 1);
    EXPECT_FALSE(flows[0].disks.known());
    EXPECT_FALSE(flows[0].fromStorageCache.known());
}

}  // namespace
}  // namespace flowgauge::load
