// SPDX-License-Identifier: MIT
#include "gui/load/storage_data.h"

#include "gui/models/storage_figures.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <numeric>

namespace flowgauge::load {
namespace {

class StorageData : public facts::SmallRun {
protected:
    void readAt(store::Id process, const std::string& path, Nanos at, std::int64_t offset, std::int64_t bytes)
    {
        put(process, {at, at + 1000, 0, Kind::FileRead, 0, {store.name(path), offset, bytes, bytes}});
    }
    Cancel cancel = std::make_shared<std::atomic<bool>>(false);
};

TEST_F(StorageData, AFileThatIsReadTwiceSaysSo)
{
    const store::Id first = process(100, 0, 2);
    const store::Id other = process(101, 1, 2);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < 4; ++i) readAt(first, "/data/b", pass * 100'000 + i * 10'000, i * 100, 100);
    readAt(other, "/data/a", 5, 0, 50);
    store::RunStore& run = finished();
    const RunSnapshot snapshot = snapshotOf(run);
    const StorageReads all = storageReads(run, snapshot, {}, cancel);
    ASSERT_EQ(all.files.size(), 2U);
    EXPECT_EQ(all.files[0].path, "/data/a");
    EXPECT_EQ(all.files[1].calls, 8);
    EXPECT_EQ(all.files[1].bytes, 800);
    EXPECT_EQ(all.files[1].furthest, 400);
    EXPECT_EQ(std::accumulate(all.byLog2.begin(), all.byLog2.end(), 0U), 9U);
    EXPECT_EQ(all.byLog2[10], 9U);  // 1000 ns each
    EXPECT_EQ(storageReads(run, snapshot, {1}, cancel).files.size(), 1U);
    EXPECT_EQ(models::fileRows(all.files, 10)[0][3].text, "2.00x");
}

TEST_F(StorageData, TheMapPutsEveryByteWhereAndWhenItWasRead)
{
    const store::Id id = process(100, 0);
    readAt(id, "/data/a", 0, 0, 100);
    readAt(id, "/data/a", 500'000, 900, 100);
    readAt(id, "/data/b", 999'999, 0, 7);
    store::RunStore& run = finished();
    const RunSnapshot snapshot = snapshotOf(run);
    const StorageReads reads = storageReads(run, snapshot, {}, cancel);
    const timeline::Grid grid = accessMap(run, fileTracks(snapshot, {}), reads.files, {0, 1'000'000}, cancel);
    const std::size_t half = grid.rows / 2;
    EXPECT_EQ(grid.at(0, 0), 100);
    EXPECT_EQ(grid.at(grid.columns / 2, half * 9 / 10), 100);
    EXPECT_EQ(grid.at(grid.columns - 1, half), 7);
    EXPECT_EQ(std::accumulate(grid.values.begin(), grid.values.end(), 0.0), 207);
    EXPECT_EQ(grid.rowName(0), "/data/a");
    const timeline::Grid part = accessMap(run, fileTracks(snapshot, {}), reads.files, {400'000, 600'000}, cancel);
    EXPECT_EQ(std::accumulate(part.values.begin(), part.values.end(), 0.0), 100);
}

TEST_F(StorageData, ARunWithoutReadsHasAnEmptyMapThatSaysWhy)
{
    sample(0, Counter::NicRxBytes, 0, 1, "eth0");
    store::RunStore& run = finished();
    const RunSnapshot snapshot = snapshotOf(run);
    const StorageReads reads = storageReads(run, snapshot, {}, cancel);
    EXPECT_TRUE(reads.files.empty());
    const timeline::Grid grid = accessMap(run, fileTracks(snapshot, {}), reads.files, {0, 100}, cancel);
    EXPECT_FALSE(grid.hasValues());
    EXPECT_FALSE(grid.empty.empty());
}

TEST_F(StorageData, CacheAndMemoryAreThoseOfTheHostsThatTrain)
{
    const store::Id id = process(100, 0);
    readAt(id, "/data/a", 0, 0, 100);
    sample(0, Counter::PageCache, 0, 1000);
    sample(0, Counter::PageCache, 1'000'000, 3000);
    sample(0, Counter::MemoryTotal, 0, 8000);
    const StorageFlow flow = storageFlow(finished(), {0, 1'000'000}, 2);
    ASSERT_EQ(flow.pageCache.size(), 2U);
    EXPECT_NEAR(flow.pageCache[0], 1500 * 1024.0, 1);
    EXPECT_NEAR(flow.pageCache[1], 2500 * 1024.0, 1);
    EXPECT_EQ(flow.memory, 8000 * 1024.0);
    EXPECT_EQ(models::cacheChart(flow, {}, nullptr).ceilings.size(), 1U);
}

TEST_F(StorageData, HistogramsBeginAndEndWhereCallsAre)
{
    store::Histogram bins{};
    bins[10] = 3;
    bins[12] = 1;
    const timeline::Chart chart = models::latencyChart(bins);
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.series[0].values, (std::vector<double>{3, 0, 1}));
    EXPECT_EQ(chart.categories.front(), "512 ns");
    EXPECT_FALSE(models::latencyChart({}).hasValues());
}

}  // namespace
}  // namespace flowgauge::load
