// SPDX-License-Identifier: MIT
#include "gui/load/network_data.h"

#include "analyzer/facts/run.h"
#include "gui/models/network_figures.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <numeric>

namespace flowgauge::load {
namespace {

constexpr Nanos second = 1'000'000'000;

facts::RankFacts rankOn(int number, const std::string& host)
{
    facts::RankFacts rank;
    rank.rank = number;
    rank.host = host;
    return rank;
}

/// Two ranks on two hosts; rank 1 comes 100 ms later to each of two allreduces of 1 MB, which then take 10 ms.
facts::RunFacts twoHosts()
{
    facts::RunFacts run;
    run.ranks = {rankOn(0, "node-a"), rankOn(1, "node-b")};
    for (std::uint64_t i = 0; i < 2; ++i) {
        const Nanos at = static_cast<Nanos>(i) * second;
        run.ranks[0].collectives.push_back({1, i, {at, at + 110'000'000}, 1'000'000, Kind::Allreduce, -1});
        run.ranks[1].collectives.push_back({1, i, {at + 100'000'000, at + 110'000'000}, 1'000'000, Kind::Allreduce, -1});
    }
    return run;
}

TEST(Collectives, WaitAndTransferAreToldApart)
{
    const auto all = collectives(twoHosts(), {0, 10 * second});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].kind, Kind::Allreduce);
    EXPECT_EQ(all[0].calls, 2);
    EXPECT_EQ(all[0].ranks, 2);
    EXPECT_EQ(all[0].waited, 200'000'000);
    EXPECT_EQ(all[0].moved, 40'000'000);
    EXPECT_EQ(all[0].transfer, 10'000'000);
    EXPECT_DOUBLE_EQ(all[0].algbw.value(), 1e8);
    EXPECT_DOUBLE_EQ(all[0].busbw.value(), 1e8);  // 2 (n-1)/n is 1 for two ranks
}

TEST(Collectives, OnlyThoseOfTheWindowCount)
{
    EXPECT_EQ(collectives(twoHosts(), {0, second / 2})[0].calls, 1);
    EXPECT_TRUE(collectives(twoHosts(), {5 * second, 6 * second}).empty());
}

class NetworkData : public facts::SmallRun {
protected:
    /// A port that receives 1 MB/s for two seconds, of which NFS says that 0.2 MB/s were storage.
    store::RunStore& portAndMount()
    {
        read(process(100, 0), "/data/a", {1, 2}, 10);
        for (int at = 0; at <= 2; ++at) {
            sample(0, Counter::NicRxBytes, at * second, 1'000'000 * at, "eth0");
            sample(0, Counter::NicTxBytes, at * second, 500'000 * at, "eth0");
            sample(0, Counter::NicRxBytes, at * second, 9'000'000 * at, "lo");
            sample(0, Counter::NfsFetchedBytes, at * second, 200'000 * at, "/data");
        }
        return finished();
    }
};

TEST_F(NetworkData, TheLoopbackIsNoPortAndPeaksAreRates)
{
    const NetworkFlow flow = networkFlow(portAndMount(), nullptr, {0, 2 * second}, 4);
    ASSERT_EQ(flow.ports.size(), 1U);
    EXPECT_EQ(flow.ports[0].host, "node-a");
    EXPECT_EQ(flow.ports[0].port, "eth0");
    EXPECT_NEAR(flow.ports[0].receivedBytes, 2'000'000, 1);
    EXPECT_NEAR(flow.ports[0].receivedPeak, 1'000'000, 1);
    EXPECT_NEAR(flow.ports[0].sentPeak, 500'000, 1);
    EXPECT_TRUE(flow.hosts.empty());
}

TEST_F(NetworkData, PortsOfTheWholeRunAreThoseOfTheReport)
{
    store::RunStore& run = portAndMount();
    const facts::RunFacts facts = facts::factsOf(run, "small");
    const NetworkFlow flow = networkFlow(run, &facts, {facts.extent.begin, facts.extent.end + 1}, 240);
    ASSERT_EQ(flow.ports.size(), facts.network.ports.size());
    for (std::size_t i = 0; i < flow.ports.size(); ++i) {
        const facts::PortFacts& told = facts.network.ports[i];
        EXPECT_EQ(flow.ports[i].receivedBytes, told.run.received.moved);
        EXPECT_EQ(flow.ports[i].sentBytes, told.run.sent.moved);
        EXPECT_EQ(flow.ports[i].receivedPeak, told.peakReceived);
        EXPECT_EQ(flow.ports[i].sentPeak, told.peakSent);
        EXPECT_EQ(flow.ports[i].rate, told.port.rate.valueOr(0));
    }
}

TEST_F(NetworkData, StorageAndGradientsAreTakenFromWhatWasMovedAndTheRestIsShown)
{
    const NetworkFlow flow = networkFlow(portAndMount(), std::make_unique<facts::RunFacts>(twoHosts()).get(), {0, 2 * second}, 2);
    ASSERT_EQ(flow.hosts.size(), 1U);
    const HostFlow& moved = flow.hosts[0];
    EXPECT_TRUE(moved.attributed());
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(moved.storage[i], 200'000, 1);
        EXPECT_NEAR(moved.expected[i], 1'000'000, 1);
        EXPECT_NEAR(moved.gradients[i], 800'000, 1);  // no more than the port moved
        EXPECT_NEAR(moved.storage[i] + moved.gradients[i] + moved.other[i], 1'000'000, 1);
    }
}

TEST_F(NetworkData, TheExpectedLineIsCalledAnAssumptionWhereNothingTellsTheAlgorithm)
{
    facts::RunFacts run = twoHosts();
    store::RunStore& moved = portAndMount();
    const auto charted = [&] {
        return models::networkChart(networkFlow(moved, &run, {0, 2 * second}, 2), {}, models::Direction::Received, {});
    };
    EXPECT_EQ(charted().series.back().name, "expected of one flat ring");
    EXPECT_EQ(charted().note,
              "gradients as one flat ring over all ranks, as nothing tells the algorithm; storage as its client counted it");
    for (facts::RankFacts& rank : run.ranks)
        for (facts::CollectiveCall& call : rank.collectives) call.manner = {facts::CommAlgorithm::Ring, facts::CommProtocol::Simple, 2};
    EXPECT_EQ(charted().series.back().name, "expected gradients");
    EXPECT_EQ(charted().note, "gradients by the formulas of the algorithms that NCCL told; storage as its client counted it");
}

TEST_F(NetworkData, OnOneHostNothingIsExpectedOnTheWire)
{
    facts::RunFacts run = twoHosts();
    run.ranks[1].host = "node-a";
    const NetworkFlow flow = networkFlow(portAndMount(), &run, {0, 2 * second}, 2);
    EXPECT_TRUE(flow.hosts[0].expected.empty());
    EXPECT_NEAR(flow.hosts[0].other[0], 800'000, 1);
}

TEST_F(NetworkData, TheMatrixSaysWhoWaitsForWhom)
{
    read(process(100, 0), "/data/a", {1, 2}, 10);
    store::RunStore& run = finished();
    RunSnapshot snapshot = snapshotOf(run);
    auto analysis = std::make_shared<Analysis>();
    analysis->facts = twoHosts();
    snapshot.analysis = analysis;
    const RankMatrix matrix = rankMatrix(run, snapshot, {0, 10 * second}, std::make_shared<std::atomic<bool>>(false));
    EXPECT_EQ(matrix.ranks, (std::vector<int>{0, 1}));
    EXPECT_EQ(matrix.waited, (std::vector<double>{0, 200'000'000, 0, 0}));
    EXPECT_TRUE(matrix.sent.empty());
    EXPECT_TRUE(models::waitGrid(matrix).hasValues());
}

}  // namespace
}  // namespace flowgauge::load
