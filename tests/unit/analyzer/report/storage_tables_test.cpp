// SPDX-License-Identifier: MIT
#include "analyzer/report/storage_tables.h"

#include "analyzer/report/report.h"

#include <gtest/gtest.h>

namespace flowgauge::report {
namespace {

findings::ServerRow isilon(std::int64_t epoch)
{
    findings::ServerRow row{"isilon1", epoch, 2e9, 750e6, 2.05e9, 0.625};
    if (epoch != 0) row.cacheHits = Measured<double>::missing("its nodes told no reads of their caches meanwhile");
    return row;
}

findings::WatchedRow watched(std::string place)
{
    return {"node-a", std::move(place), "nic", "nic_rx_bytes", findings::WatchedRow::Unit::BytesPerSecond, 0, 5e6, 1e9};
}

TEST(StorageTables, AStorageSystemHasARowARunAndEpoch)
{
    const auto rows = serverRows({isilon(0), isilon(1)});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1], (std::vector<std::string>{"isilon1", "all", "2.00 GB/s", "750 MB/s", "2.05 GB/s", "62 %"}));
    EXPECT_EQ(rows[2].at(1), "1");
    EXPECT_EQ(rows[2].at(5), "–");
    EXPECT_TRUE(serverRows({}).empty());
}

TEST(StorageTables, CountersBeyondTheMostAreCounted)
{
    const auto rows = watchedTable({watched("eth0"), watched("eth1"), watched("eth2")}, 2);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1], (std::vector<std::string>{"node-a", "eth0", "nic_rx_bytes", "0 B/s", "5.00 MB/s", "1.00 GB/s"}));
    EXPECT_EQ(rows[3], (std::vector<std::string>{"…", "1 more counter"}));
}

TEST(StorageTables, ARecordingWithoutAJobSaysWhatWasWatched)
{
    findings::RunSummary summary;
    summary.watched = {watched("eth0")};
    const Report report = buildReport(summary, {});
    const std::string text = textOf(report);
    EXPECT_NE(text.find("No job was recorded"), std::string::npos) << text;
    EXPECT_NE(text.find("nic_rx_bytes"), std::string::npos) << text;
    EXPECT_NE(jsonOf(report).find(R"("counter": "nic_rx_bytes")"), std::string::npos);
}

}  // namespace
}  // namespace flowgauge::report
