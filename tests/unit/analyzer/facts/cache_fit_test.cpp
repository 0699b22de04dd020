// SPDX-License-Identifier: MIT
#include "analyzer/facts/cache_fit.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace flowgauge::facts {
namespace {

constexpr Nanos second = 1'000'000'000;
constexpr std::int64_t mega = 1'000'000;

class CacheFitTest : public SmallRun {
protected:
    int places = 200;
    std::int64_t pieceBytes = mega, apartBytes = 2 * mega;  ///< of the data: so far apart that nothing looks like reading on
    std::vector<int> firstOrder;                            ///< of the first epoch; empty: as they lie

    /// Two epochs of ten seconds each that ask for all pieces; the second one reads in that order.
    RunFacts trained(const std::vector<int>& order, double fetchedAgain)
    {
        const store::Id reader = process(100, 0);
        const std::vector<int> first = firstOrder.empty() ? inOrder() : firstOrder;
        for (int epoch = 0; epoch < 2; ++epoch)
            for (int i = 0; i < places; ++i) {
                const Nanos at = (epoch * places + i) * 10 * second / places;
                const int place = (epoch == 0 ? first : order)[static_cast<std::size_t>(i)];
                put(reader, {at, at + 1000, 0, Kind::FileRead, 0, {store.name("/data/a"), place * apartBytes, pieceBytes, pieceBytes}});
            }
        RunFacts run;
        run.hosts = 1;
        run.epochs.resize(2);
        for (std::size_t i = 0; i < 2; ++i) {
            run.epochs[i].number = static_cast<std::int64_t>(i) + 1;
            run.epochs[i].when = {static_cast<Nanos>(i) * 10 * second, static_cast<Nanos>(i + 1) * 10 * second};
            run.epochs[i].asked = places * pieceBytes;
            run.epochs[i].fetched = std::llround((i == 0 ? 1 : fetchedAgain) * static_cast<double>(places * pieceBytes));
        }
        return run;
    }
    [[nodiscard]] std::vector<int> inOrder() const
    {
        std::vector<int> order(static_cast<std::size_t>(places));
        for (int i = 0; i < places; ++i) order[static_cast<std::size_t>(i)] = i;
        return order;
    }
    [[nodiscard]] std::vector<int> shuffled(unsigned seed = 7) const
    {
        std::vector<int> order = inOrder();
        std::mt19937 random(seed);
        std::shuffle(order.begin(), order.end(), random);
        return order;
    }
    /// Programs have 100 MB of the job's cgroup, and there is room for so many bytes beside them; in the second epoch for half.
    void cgroup(std::int64_t room)
    {
        sample(0, Counter::CgroupLimit, 0, room + 100 * mega, "job");
        for (const auto& [at, file] :
             {std::pair{0 * second, std::int64_t{0}}, {9 * second, room}, {10 * second, room}, {20 * second, room / 2}}) {
            sample(0, Counter::CgroupFileCache, at, file, "job");
            sample(0, Counter::CgroupUsed, at, file + 100 * mega, "job");
        }
    }
    CacheForecast forecastOf(const RunFacts& run) { return cacheFitOf(finished(), run).value().forecast.value(); }
};

TEST_F(CacheFitTest, InANewOrderSomeIsStillThere)
{
    const RunFacts run = trained(shuffled(), 0.75);
    cgroup(120 * mega);
    const CacheFit fit = cacheFitOf(finished(), run).value();
    EXPECT_EQ(fit.order, ReadOrder::Shuffled);
    EXPECT_EQ(fit.cacheBytes, 120 * mega) << "as known at the end of the first epoch";
    EXPECT_EQ(fit.dataBytes, 200 * mega);
    EXPECT_DOUBLE_EQ(fit.observed, 0.25);
    EXPECT_DOUBLE_EQ(fit.observedFetched, 0.75);
    EXPECT_NEAR(fit.forecast.value().spared, 0.25, 0.05);
    EXPECT_NEAR(fit.forecast.value().held, fit.forecast.value().spared, 0.01) << "nothing is read ahead";
    EXPECT_EQ(fit.cache, "the job's cgroup");
}

TEST_F(CacheFitTest, InTheSameOrderNothingIs)
{
    const RunFacts run = trained(inOrder(), 1);
    cgroup(150 * mega);
    const CacheFit fit = cacheFitOf(finished(), run).value();
    EXPECT_EQ(fit.order, ReadOrder::Same);
    EXPECT_DOUBLE_EQ(fit.forecast.value().spared, 0);
}

/// KiB that the data's file system reads ahead; the other one of the host reads ahead where this one does not.
class ReadAheadTest : public CacheFitTest, public testing::WithParamInterface<std::int64_t> {};

TEST_P(ReadAheadTest, FetchesPagesInVainAsFarAsTheFileSystemOfTheDataLets)
{
    places = 6000;
    pieceBytes = apartBytes = 20'480;
    const RunFacts run = trained(shuffled(), 0.75);
    cgroup(places * pieceBytes * 6 / 10);
    sample(0, Counter::ReadAhead, 0, 128 - GetParam(), "/");
    sample(0, Counter::ReadAhead, 0, GetParam(), "/data");
    const CacheForecast forecast = forecastOf(run);
    const double inVain = forecast.fetched - (1 - forecast.held);
    const bool readsAhead = GetParam() > 0;
    EXPECT_EQ(inVain > 0.1, readsAhead) << inVain;
    EXPECT_EQ(std::abs(inVain) < 1e-12, !readsAhead) << inVain;
}

INSTANTIATE_TEST_SUITE_P(OnAndOff, ReadAheadTest, testing::Values(0, 128));

/// KiB that the data's file system takes at once, where each call wants 300.
class LargestRequestTest : public CacheFitTest, public testing::WithParamInterface<std::int64_t> {};

TEST_P(LargestRequestTest, FetchesPagesInVainWhereACallNeedsTwo)
{
    places = 400;
    pieceBytes = apartBytes = 75 * 4096;
    firstOrder = shuffled(8);
    RunFacts run = trained(shuffled(), 0.75);
    run.epochs[0].fetched = places * pieceBytes * 5 / 4;
    cgroup(places * pieceBytes * 6 / 10);
    sample(0, Counter::ReadAhead, 0, 128, "/data");
    sample(0, Counter::LargestRequest, 0, 1536 - GetParam(), "/");
    sample(0, Counter::LargestRequest, 0, GetParam(), "/data");
    const Measured<CacheForecast> forecast = cacheFitOf(finished(), run).value().forecast;
    if (GetParam() > 300) {
        EXPECT_EQ(forecast.reason(), "the first epoch fetched more than read-ahead explains");
        return;
    }
    EXPECT_GT(forecast.value().fetched - (1 - forecast.value().held), 0.1);
}

TEST_F(CacheFitTest, WhichRuleOfReadingOnTheKernelHasTheFirstEpochTells)
{
    places = 1000;
    pieceBytes = apartBytes = 110'000;  // neighbours share pages: of a piece whose neighbour was read a call finds the first and no other
    firstOrder = shuffled(8);
    RunFacts run = trained(shuffled(), 0.75);
    cgroup(places * pieceBytes * 7 / 10);
    store::RunStore& stored = finished();
    const CacheForecast newer = cacheFitOf(stored, run).value().forecast.value();
    run.epochs[0].fetched = places * pieceBytes * 11 / 10;
    const CacheForecast older = cacheFitOf(stored, run).value().forecast.value();
    EXPECT_GT(older.fetched, newer.fetched + 0.02);
    const auto fetchedOn = [&](const std::vector<std::string>& releases) {
        run.ledger.clear();
        for (const std::string& release : releases) run.ledger.push_back({"kernel", "measured", release, 0});
        return cacheFitOf(stored, run).value().forecast.value().fetched;
    };
    EXPECT_EQ(fetchedOn({"6.18.5"}), newer.fetched) << "what it fetched more was something else";
    EXPECT_EQ(fetchedOn({"6.6.0-rc1"}), newer.fetched);
    EXPECT_EQ(fetchedOn({"6.1.0-28-amd64"}), older.fetched);
    EXPECT_EQ(fetchedOn({"6.18.5", "5.14.0-70.el9"}), older.fetched);
}

INSTANTIATE_TEST_SUITE_P(OfNfsAndOfADisk, LargestRequestTest, testing::Values(256, 1280));

TEST_F(CacheFitTest, WithoutALimitWhatTheHostHasForFilesCounts)
{
    const RunFacts run = trained(shuffled(), 0);
    sample(0, Counter::MemoryAvailable, 0, 500'000, "host");  // KiB
    sample(0, Counter::PageCache, 0, 100'000, "host");
    const CacheFit fit = cacheFitOf(finished(), run).value();
    EXPECT_EQ(fit.cache, "the host");
    EXPECT_DOUBLE_EQ(fit.forecast.value().spared, 1);
    EXPECT_DOUBLE_EQ(fit.observed, 1);
}

TEST_F(CacheFitTest, SaysWhyItDoesNotKnow)
{
    RunFacts run = trained(shuffled(), 0);
    cgroup(100 * mega);
    store::RunStore& stored = finished();
    EXPECT_EQ(cacheFitOf(stored, run).reason(), "the data lies in memory that another job or cgroup is charged for");
    run.epochs[1].fetched = 190 * mega;
    run.epochs[0].fetched = 260 * mega;
    EXPECT_EQ(cacheFitOf(stored, run).value().forecast.reason(), "the first epoch fetched more than read-ahead explains");
    run.epochs[0].asked = 300 * mega;
    EXPECT_EQ(cacheFitOf(stored, run).value().forecast.reason(), "where in their files most reads of the first epoch lie is not known");
    run.hosts = 2;
    EXPECT_EQ(cacheFitOf(stored, run).reason(), "each of several hosts reads a part of the data that differs by epoch");
    run.hosts = 1;
    run.epochs.resize(1);
    EXPECT_EQ(cacheFitOf(stored, run).reason(), "no complete epoch after the first tells what it asked for and fetched");
}

TEST_F(CacheFitTest, OfACacheOfAFewMegabytesNothingIsForecast)
{
    const RunFacts run = trained(shuffled(), 1);
    cgroup(11 * mega);
    const CacheFit fit = cacheFitOf(finished(), run).value();
    EXPECT_EQ(fit.forecast.reason(), "of so small a cache the kernel and programs hold too large a part");
    EXPECT_DOUBLE_EQ(fit.observed, 0);
}

}  // namespace
}  // namespace flowgauge::facts
