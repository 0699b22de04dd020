// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/storage_rows.h"

#include "analyzer/diagnoses/network_rows.h"
#include "analyzer/report/units.h"
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::diagnoses {
namespace {

constexpr Nanos s = 1'000'000'000;
constexpr std::int64_t mega = 1'000'000;

facts::Epoch readEpoch(std::int64_t number, std::int64_t askedMb, std::int64_t fetchedMb)
{
    facts::Epoch epoch;
    epoch.number = number;
    epoch.when = {(number - 1) * 10 * s, number * 10 * s};
    epoch.asked = askedMb * mega;
    epoch.fetched = fetchedMb * mega;
    epoch.fetchedSource = "nfs";
    return epoch;
}

std::vector<std::string> told(const facts::RunFacts& run)
{
    std::vector<std::string> lines;
    for (const findings::Sentence& sentence : storageOf(run).told) lines.push_back(report::sentence(sentence));
    return lines;
}

TEST(StorageRows, SayWhereEachEpochsBytesCameFrom)
{
    facts::RunFacts run;
    run.epochs = {readEpoch(1, 200, 200), readEpoch(2, 200, 0), readEpoch(3, 200, 0), readEpoch(4, 200, 100)};
    EXPECT_EQ(told(run), (std::vector<std::string>{
                             "Epoch 1 was cold: 200 MB came from the NFS server at 20.0 MB/s.",
                             "Epochs 2–3 were served from client memory: 0 B of the 400 MB asked for came from the NFS server.",
                             "Epoch 4 was served from client memory for 50 %; 100 MB came from the NFS server at 10.0 MB/s.",
                         }));
}

TEST(StorageRows, SayWhichPartOfAPortWasStorageAndWhichGradients)
{
    facts::RunFacts run;
    facts::PortFacts port;
    port.port.host = "node-a";
    port.port.name = "eth0";
    port.run.received = {100e6, 30e6, 60e6, 5e6};
    port.run.sent = {50e6, 30e6, 0, 2e6};
    run.network.ports = {port};
    EXPECT_EQ(told(run), std::vector<std::string>{"Of the 100 MB that eth0 on node-a received, storage was 60 % and gradients 30 %; of the "
                                                  "50.0 MB that it sent, storage was 0 % and gradients 60 %."});
}

TEST(StorageRows, SayHowMuchOfTheDataLayInMemory)
{
    facts::RunFacts run;
    run.epochs = {readEpoch(1, 200, 200)};
    facts::DataInMemory found;
    found.atStart = {0.98, 0.01};
    found.startKnown = true;
    found.looked = 64;
    found.files = 1300;
    found.method = "cachestat(2)";
    found.epochs = {{1, {1, 0}}, {2, {0.5, 0.02}}};
    run.storage.inMemory = found;
    EXPECT_EQ(told(run)[1],
              "Epoch 1 began warm: 98 % (± 1 %) of the data set was in memory when the job began to read (64 of 1300 files "
              "that it had not opened yet; cachestat(2)).");
    EXPECT_EQ(told(run)[2],
              "Of the files that the job had opened, 100 % lay in memory at the end of epoch 1 and 50 % (± 2 %) at that of "
              "epoch 2.");
    EXPECT_EQ(storageOf(run).inMemory.value().at.size(), 3U);
    found.atStart = {0.03, 0};
    run.storage.inMemory = found;
    EXPECT_EQ(told(run)[1].substr(0, 24), "Epoch 1 began cold: 3 % ");
    found.startKnown = false;
    found.epochs.resize(1);
    run.storage.inMemory = found;
    EXPECT_EQ(told(run)[1],
              "Epoch 1 may have begun warm or cold: when pages were first looked for, the job had opened all files of the data.");
    EXPECT_EQ(told(run)[2], "Of the files that the job had opened, 100 % lay in memory at the end of epoch 1.");
}

/// Seen in epochs 3 to 5 of a run whose 200 MB meet a cache of 120 MB.
facts::CacheFit tooSmall(const Measured<facts::CacheForecast>& forecast)
{
    return {200 * mega, 120 * mega, "the job's cgroup", facts::ReadOrder::Shuffled, 3, 5, forecast, 0.26, 0.74};
}

TEST(StorageRows, SayWhatAParallelFileSystemsClientCounted)
{
    const auto missing = Measured<double>::missing("its client does not count it");
    facts::RunFacts run;
    run.storage.fileSystems = {{"node-a", "/ceph", missing, 2e6, 1e6}, {"node-a", "/scratch", 3e6, missing, missing}};
    EXPECT_EQ(told(run), (std::vector<std::string>{
                             "The client of /ceph on node-a fetched 2.00 MB from its servers and sent them 1.00 MB.",
                             "Programs on node-a read 3.00 MB from /scratch by calls, hits of its client's cache included.",
                         }));
}

TEST(StorageRows, APhysicalPortThatMovedMoreThanItsInterfaceShowsIsToldApart)
{
    facts::RunFacts run;
    run.network.physicalPorts = {{"node-a", "eth0", 1e9, 1e9, 0.96e9, 0.96e9, 0, 0}};
    EXPECT_TRUE(networkOf(run).checks.empty()) << "check sums of frames are as much";
    run.network.physicalPorts.front().rdmaReceived = run.network.physicalPorts.front().received = 9e9;
    ASSERT_EQ(networkOf(run).checks.size(), 1U);
    EXPECT_EQ(
        report::sentence(networkOf(run).checks.front()),
        "node-a: the physical port of eth0 received 9.00 GB and sent 1.00 GB (ethtool); its interface shows 960 MB and 960 MB, RDMA of "
        "this function was 9.00 GB and 0 B. The port's bytes hold both and those of other functions: they are in no sum.");
}

TEST(StorageRows, HoldWhatTheCacheHeldAgainstWhatOneOfItsSizeHolds)
{
    facts::RunFacts run;
    run.storage.cache = tooSmall(facts::CacheForecast{0.24, 0.25, 0.76});
    EXPECT_EQ(told(run),
              std::vector<std::string>{"The data set (200 MB) does not fit into the file cache of the job's cgroup (120 MB): read in "
                                       "a new order each epoch, forecast 24 % from memory, observed 26 % in epochs 3–5."});
    facts::CacheFit fits = tooSmall(facts::CacheForecast{1, 1, 0});
    fits.observed = 1;
    fits.firstEpoch = fits.lastEpoch = 2;
    run.storage.cache = fits;
    EXPECT_EQ(told(run), std::vector<std::string>{"The data set (200 MB) fits into the file cache of the job's cgroup: forecast 100 % from "
                                                  "memory, observed 100 % in epoch 2."});
}

TEST(StorageRows, SayWhatReadAheadFetchesInVain)
{
    facts::RunFacts run;
    run.storage.cache = tooSmall(facts::CacheForecast{0.24, 0.45, 0.76});
    EXPECT_EQ(told(run).back(),
              "By that forecast 45 % of the pages asked for are in memory, but with what is read ahead in vain 76 % of the "
              "bytes asked for are fetched; observed 74 %.");
}

TEST(StorageRows, SayWhyACacheCannotBeForecast)
{
    facts::RunFacts run;
    run.storage.cache = tooSmall(Measured<facts::CacheForecast>::missing("nobody knows"));
    EXPECT_EQ(told(run), std::vector<std::string>{"The data set (200 MB) does not fit into the file cache of the job's cgroup (120 MB): "
                                                  "observed 26 % from memory in epochs 3–5; this cannot be forecast: nobody knows."});
    EXPECT_EQ(storageOf(run).cache.value().forecast.reason(), "nobody knows");
}

facts::RunFacts withOutage()
{
    facts::RankFacts rank = rankOf(0);
    rank.extent = {0, 20 * s};
    rank.compute = facts::IntervalSet::of({{0, 6 * s}});
    facts::RunFacts run = runOf({rank});
    run.storage.outages = {{"node-a", "10.99.1.2 v3 tcp", {5 * s, 10 * s}, 9 * s, 3, 2}};
    return run;
}

TEST(StorageOutage, IsWhatComputingDoesNotHideOfATimeWithoutAnswer)
{
    const auto finding = answerOf("storage_outage", withOutage());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 4 * s);
    EXPECT_EQ(finding->outOf, 20 * s);
    EXPECT_EQ(finding->evidence.at(0).when, (Interval{5 * s, 10 * s}));
    EXPECT_EQ(report::sentence(finding->verdict),
              "Storage did not answer for 5.00 s (5.000–10.000 s); without that 20 % of the run would be saved.");
    EXPECT_EQ(
        report::sentence(finding->details.at(0)),
        "10.99.1.2 v3 tcp did not answer node-a at 5.000–10.000 s: no reply came, and requests that were answered then had waited 9.00 s "
        "together; the client connected anew 3 times and sent again or gave up waiting 2 times.");
}

TEST(StorageOutage, OfAnotherHostIsNone)
{
    facts::RunFacts run = withOutage();
    run.storage.outages[0].host = "node-b";
    EXPECT_EQ(answerOf("storage_outage", run)->amount, 0);
    run.storage.outages.clear();
    EXPECT_FALSE(answerOf("storage_outage", run));
}

TEST(WatchedRows, KeepTheUnitOfTheirCounter)
{
    const std::vector<facts::WatchedCounter> counters{{"node-a", "eth0", Counter::NicRxBytes, 0, 5, 9},
                                                      {"node-a", "host", Counter::MemoryAvailable, 1, 2, 3},
                                                      {"", "isilon1", Counter::StorageDiskReadRate, 1, 2, 3},
                                                      {"node-a", "eth0", Counter::NicRxPackets, 1, 2, 3},
                                                      {"node-a", "mlx5_0/1", Counter::IbState, 4, 4, 4}};
    using Unit = findings::WatchedRow::Unit;
    std::vector<Unit> units;
    for (const findings::WatchedRow& row : watchedRowsOf(counters)) units.push_back(row.unit);
    EXPECT_EQ(units, (std::vector<Unit>{Unit::BytesPerSecond, Unit::Bytes, Unit::BytesPerSecond, Unit::PerSecond, Unit::Plain}));
    EXPECT_EQ(watchedRowsOf(counters)[0].counter, "nic_rx_bytes");
}

}  // namespace
}  // namespace flowgauge::diagnoses
