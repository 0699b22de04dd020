// SPDX-License-Identifier: MIT
#include "analyzer/facts/data_in_memory.h"
#include "analyzer/facts/outages.h"
#include "analyzer/facts/server_rates.h"
#include "analyzer/facts/watched.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

constexpr Nanos second = 1'000'000'000, beat = second / 10;
constexpr std::int64_t mega = 1'000'000;
const std::string mount = "/data", server = "10.99.1.2 v3 tcp";

/// A client that is sampled ten times a second; each call is one reading later.
class OutageTest : public SmallRun {
protected:
    void reading(std::int64_t replies, std::int64_t ended, std::int64_t tookMs)
    {
        m_at += beat;
        m_replies += replies;
        m_ended += ended;
        m_tookMs += tookMs;
        sample(0, Counter::NfsReceives, m_at, m_replies, server);
        sample(0, Counter::NfsConnects, m_at, m_connects, server);
        sample(0, Counter::NfsOtherOps, m_at, m_ended, mount);
        sample(0, Counter::NfsOtherExecuteMs, m_at, m_tookMs, mount);
    }
    void silence(int readings)
    {
        for (int i = 0; i < readings; ++i) reading(0, 0, 0);
    }
    std::int64_t m_connects = 1;

private:
    Nanos m_at = 0;
    std::int64_t m_replies = 100, m_ended = 100, m_tookMs = 100;
};

TEST_F(OutageTest, ASilenceAfterWhichARequestEndsThatWaitedAsLong)
{
    reading(0, 0, 0);
    reading(10, 10, 10);  // the last reply before: at 0.2 s
    silence(48);
    m_connects += 3;
    reading(1, 1, 4900);  // at 5.1 s
    reading(10, 10, 10);
    const std::vector<Outage> found = outagesOf(finished());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].host, "node-a");
    EXPECT_EQ(found[0].server, server);
    EXPECT_EQ(found[0].when, (Interval{3 * beat, 51 * beat})) << "since the request waited: its 4.9 s less the beat in which it ended";
    EXPECT_EQ(found[0].connects, 3);
}

TEST_F(OutageTest, AnIdleClientGetsNoReplyEither)
{
    reading(10, 10, 10);
    silence(30);
    reading(20, 20, 1500);  // 20 requests of the next tenth of a second, 75 ms each
    reading(20, 20, 1500);
    EXPECT_TRUE(outagesOf(finished()).empty());
}

TEST_F(OutageTest, ARequestThatIsToldAsEndedOneReadingAfterItsReplyHasWaited)
{
    reading(10, 10, 10);
    silence(29);
    reading(1, 0, 0);
    reading(5, 6, 3010);
    EXPECT_EQ(outagesOf(finished()).size(), 1U);
}

using ServerTest = SmallRun;

TEST_F(ServerTest, ARateIsTheMeanSinceTheOneBefore)
{
    for (const auto& [at, rate] : {std::pair{10, 100}, {20, 300}, {30, 500}})
        sample(0, Counter::StorageDiskReadRate, at * second, rate * mega, "isilon1:8080");
    for (const auto& [at, reads] : {std::pair{0, 0}, {30, 300}})
        for (const char* const node : {"isilon1:8080/node 1", "isilon1:8080/node 2"}) {
            sample(0, Counter::StorageL1Reads, at * second, reads, node);
            sample(0, Counter::StorageL1Hits, at * second, reads / 2, node);
            sample(0, Counter::StorageL2Hits, at * second, reads / 4, node);
        }
    RunFacts run;
    run.extent = {0, 30 * second};
    run.epochs.resize(1);
    run.epochs[0].number = 1;
    run.epochs[0].when = {15 * second, 30 * second};
    const std::vector<ServerRates> rates = serverRatesOf(finished(), run);
    ASSERT_EQ(rates.size(), 2U) << "the run and its epoch";
    EXPECT_EQ(rates[0].server, "isilon1:8080");
    EXPECT_DOUBLE_EQ(rates[0].disks.value(), 300e6);
    EXPECT_EQ(rates[1].epoch, 1);
    EXPECT_NEAR(rates[1].disks.value(), (5 * 300e6 + 10 * 500e6) / 15, 1);
    EXPECT_DOUBLE_EQ(rates[1].cacheHits.value(), 0.75) << "of both nodes and all levels";
    EXPECT_EQ(rates[0].served.reason(), "the storage system did not tell it");
}

using WatchedTest = SmallRun;

TEST_F(WatchedTest, GaugesByTheirValuesAndTotalsByTheirGrowthASecond)
{
    for (int at = 0; at <= 40; ++at) sample(0, Counter::NicRxBytes, at * beat, at < 20 ? 0 : (at - 20) * mega, "eth0");
    sample(0, Counter::MemoryAvailable, 0, 1000, "host");
    sample(0, Counter::MemoryAvailable, second, 3000, "host");
    sample(0, Counter::NicTxBytes, 0, 5, "eth0");
    sample(0, Counter::NicTxBytes, second, 5, "eth0");
    const std::vector<WatchedCounter> watched = watchedOf(finished());
    ASSERT_EQ(watched.size(), 2U) << "what never moved is left out";
    EXPECT_EQ(watched[0].counter, Counter::NicRxBytes);
    EXPECT_EQ(watched[0].place, "eth0");
    EXPECT_DOUBLE_EQ(watched[0].least, 0);
    EXPECT_DOUBLE_EQ(watched[0].mean, 5e6);
    EXPECT_DOUBLE_EQ(watched[0].most, 10e6);
    EXPECT_DOUBLE_EQ(watched[1].least, 1000 * 1024.0);
    EXPECT_DOUBLE_EQ(watched[1].mean, 2000 * 1024.0);
    EXPECT_DOUBLE_EQ(watched[1].most, 3000 * 1024.0);
}

/// Looks at the data set, one a second.
class DataInMemoryTest : public SmallRun {
protected:
    void look(Nanos at, std::int64_t files, std::int64_t bytes, std::int64_t resident, std::int64_t variance,
              const std::string& place = "data set")
    {
        sample(0, Counter::DataSetFiles, at, 2 * files, place);
        sample(0, Counter::DataSetLookedFiles, at, files, place);
        sample(0, Counter::DataSetLookedBytes, at, bytes, place);
        sample(0, Counter::DataSetResidentBytes, at, resident, place);
        sample(0, Counter::DataSetVariance, at, variance, place);
    }
    static RunFacts twoEpochs()
    {
        RunFacts run;
        for (const std::int64_t number : {1, 2}) {
            Epoch epoch;
            epoch.number = number;
            epoch.when = {(number - 1) * 20 * second, number * 20 * second};
            epoch.complete = true;
            run.epochs.push_back(epoch);
        }
        run.ledger.push_back({"data set in memory", "measured", "cachestat(2)", 1});
        return run;
    }
};

TEST_F(DataInMemoryTest, IsThatOfUnopenedFilesAtTheStartAndOfOpenedOnesAtTheEndOfEachEpoch)
{
    look(second, 10, 1000, 20, 0, "data set, unopened");
    look(second, 1, 100, 100, 0);
    look(19 * second, 100, 10'000, 5000, 400'000'000);
    look(21 * second, 100, 10'000, 7000, 400'000'000);
    const DataInMemory found = dataInMemoryOf(finished(), twoEpochs()).value();
    EXPECT_TRUE(found.startKnown);
    EXPECT_DOUBLE_EQ(found.atStart.share, 0.02);
    EXPECT_EQ(found.looked, 10);
    EXPECT_EQ(found.files, 20);
    EXPECT_EQ(found.method, "cachestat(2)");
    ASSERT_EQ(found.epochs.size(), 1U) << "the last look is 19 s older than the end of the second epoch";
    EXPECT_EQ(found.epochs[0].epoch, 1);
    EXPECT_DOUBLE_EQ(found.epochs[0].resident.share, 0.6) << "between two looks";
    EXPECT_DOUBLE_EQ(found.epochs[0].resident.halfWidth, 1.96 * 0.02) << "root of 4 * 10^-4";
}

TEST_F(DataInMemoryTest, OfFewFilesBesideThoseThatWereOpenedSaysNothing)
{
    look(second, 2, 1000, 0, 0, "data set, unopened");
    look(second, 4, 4000, 1000, 0);
    RunFacts run = twoEpochs();
    run.epochs[0].asked = 10'001;
    const DataInMemory found = dataInMemoryOf(finished(), run).value();
    EXPECT_FALSE(found.startKnown) << "what the job has opened it may have read";
}

TEST_F(DataInMemoryTest, IsMissingWithTheReasonOfTheLedger)
{
    RunFacts run = twoEpochs();
    finished();
    EXPECT_EQ(dataInMemoryOf(store, run).reason(), "no look at a file that was opened for reading was recorded");
    run.ledger = {{"data set in memory", "absent", "on FUSE", 1}};
    EXPECT_EQ(dataInMemoryOf(store, run).reason(), "on FUSE");
}

}  // namespace
}  // namespace flowgauge::facts
