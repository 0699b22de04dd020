// SPDX-License-Identifier: MIT
#include "analyzer/facts/port_traffic.h"

#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

constexpr Nanos second = 1'000'000'000;
constexpr std::int64_t mega = 1'000'000;

/// Ranks with one communicator; `hosts` says where each one runs.
RunFacts ranksOn(const std::vector<std::string>& hosts)
{
    RunFacts run;
    run.extent = {0, second};
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        RankFacts rank;
        rank.rank = static_cast<int>(i);
        rank.host = hosts[i];
        rank.rankIn[1] = static_cast<std::int64_t>(i);
        run.ranks.push_back(std::move(rank));
    }
    return run;
}

/// All ranks together, the first half of the second.
void together(RunFacts& run, Kind kind, std::uint64_t bytes, std::int32_t root = -1)
{
    for (RankFacts& rank : run.ranks) {
        const std::uint64_t sequence = rank.collectives.size();
        rank.collectives.push_back({1, sequence, {0, second / 2}, bytes, kind, root});
    }
}

RunFacts twoHosts()
{
    RunFacts run = ranksOn({"node-a", "node-b"});
    together(run, Kind::Allreduce, 10 * mega);  // two hosts: 10 MB each way
    return run;
}

TEST(WireDemand, ARingLeavesEveryHostOnceWhateverTheNumberOfItsRanks)
{
    RunFacts run = ranksOn({"node-a", "node-a", "node-b", "node-b"});
    together(run, Kind::Allreduce, 8 * mega);
    const auto demands = wireDemandOf(run);
    ASSERT_EQ(demands.size(), 2U);
    EXPECT_NEAR(demands.at("node-a").sent.grown(), 2.0 * 3 / 4 * 8 * mega, 1);
    EXPECT_NEAR(demands.at("node-b").received.grown(), 2.0 * 3 / 4 * 8 * mega, 1);
    EXPECT_NEAR(demands.at("node-a").sent.growth({0, second / 4}), 6.0 * mega, 1) << "evenly over the call";
}

/// Two epochs of twelve steps of 100 ms, a second apart, each of which reduces 10 MB in its second half; steps 0, 5, 10 and 11 of each are
/// written.
RunFacts thinned()
{
    RunFacts run = ranksOn({"node-a", "node-b"});
    run.ledger.push_back({"steps", "degraded", "one of 5 steps is written", 5});
    for (RankFacts& rank : run.ranks)
        for (const Nanos epoch : {0, 1})
            for (const Nanos step : {0, 5, 10, 11}) {
                const Nanos begin = epoch * (12 * second / 10 + second) + step * second / 10;
                rank.steps.push_back({epoch * 12 + step, {begin, begin + second / 10}, 32});
                const std::uint64_t sequence = rank.collectives.size();
                rank.collectives.push_back({1, sequence, {begin + second / 20, begin + second / 10}, 10 * mega, Kind::Allreduce, -1});
            }
    return run;
}

TEST(WireDemand, AWrittenStepStandsForThoseUpToTheNextAndMovesEvenlyUntilThen)
{
    const CounterSeries sent = wireDemandOf(thinned()).at("node-a").sent;
    EXPECT_NEAR(sent.grown(), 24 * 10.0 * mega, 1) << "as many as there were";
    for (Nanos at = 0; at < 11; ++at) EXPECT_NEAR(sent.growth({at * second / 10, (at + 1) * second / 10}), 10.0 * mega, 1) << "step " << at;
    EXPECT_NEAR(sent.growth({second * 12 / 10, second * 22 / 10}), 0, 1) << "between epochs nothing moves";
}

TEST(WireDemand, WhereNoStepIsMarkedEachCollectiveStandsForAsMany)
{
    RunFacts run = twoHosts();
    run.ledger.push_back({"steps", "degraded", "one of 5 steps is written", 5});
    EXPECT_NEAR(wireDemandOf(run).at("node-a").sent.grown(), 50.0 * mega, 1);
}

TEST(WireDemand, ABroadcastComesFromItsRootAndIsPassedOnByTheOthers)
{
    RunFacts run = ranksOn({"node-a", "node-b", "node-c"});
    together(run, Kind::Broadcast, 6 * mega, 1);
    const auto demands = wireDemandOf(run);
    EXPECT_DOUBLE_EQ(demands.at("node-b").received.grown(), 0);
    EXPECT_NEAR(demands.at("node-b").sent.grown(), 6.0 * mega, 1);
    EXPECT_NEAR(demands.at("node-a").received.grown(), 6.0 * mega, 1);
    EXPECT_NEAR(demands.at("node-a").sent.grown() + demands.at("node-c").sent.grown(), 6.0 * mega, 1);
}

TEST(WireDemand, AGatherBringsTheOtherHostsPartsToItsRoot)
{
    RunFacts run = ranksOn({"node-a", "node-a", "node-b"});
    together(run, Kind::Gather, mega, 0);
    const auto demands = wireDemandOf(run);
    EXPECT_NEAR(demands.at("node-a").received.grown(), 1.0 * mega, 1);
    EXPECT_NEAR(demands.at("node-b").sent.grown(), 1.0 * mega, 1);
    EXPECT_DOUBLE_EQ(demands.at("node-a").sent.grown(), 0);
}

TEST(WireDemand, NothingLeavesASingleHost)
{
    RunFacts run = ranksOn({"node-a", "node-a"});
    together(run, Kind::Allreduce, mega);
    EXPECT_TRUE(wireDemandOf(run).empty());
}

TEST(WireDemand, AnAlgorithmThatWasToldReplacesTheRing)
{
    RunFacts run = ranksOn({"node-a", "node-a", "node-b", "node-b"});
    together(run, Kind::Allreduce, 8 * mega);
    for (RankFacts& rank : run.ranks) rank.collectives[0].manner = {CommAlgorithm::Tree, CommProtocol::Ll, 4};
    const WireDemand demand = wireDemandOf(run).at("node-a");
    EXPECT_NEAR(demand.sent.grown(), 2.0 * 8 * mega, 1) << "two hosts: S instead of 3/2 S, and as many flags as data";
    EXPECT_EQ(demand.collectives.told, 1);
}

TEST(WireDemand, WhatNothingTellsIsSaidToBeAssumedAndHowMuchLessItMayHaveBeen)
{
    RunFacts run = ranksOn({"node-a", "node-a", "node-b", "node-b"});
    together(run, Kind::Allreduce, 8 * mega);
    EXPECT_EQ(sourceOf(wireDemandOf(run).at("node-a").collectives), WireSource::FlatRing);
    EXPECT_NEAR(hostsRingLess(run), 1.0 / 3, 1e-9) << "S of a ring of two hosts, 3/2 S of one of four ranks";
    EXPECT_EQ(hostsRingLess(twoHosts()), 0) << "a rank a host: the same ring";
    EXPECT_EQ(hostsRingLess(ranksOn({"node-a", "node-a"})), 0);
    for (RankFacts& rank : run.ranks) rank.collectives[0].manner = {CommAlgorithm::Tree, CommProtocol::Ll, 4};
    EXPECT_EQ(sourceOf(wireDemandOf(run).at("node-a").collectives), WireSource::Told);
    together(run, Kind::Broadcast, 8 * mega, 0);
    EXPECT_EQ(sourceOf(wireDemandOf(run).at("node-a").collectives), WireSource::Partly);
    EXPECT_EQ(sourceOf({3, 3, 0}), WireSource::Counted);
    EXPECT_EQ(sourceOf({3, 1, 2}), WireSource::Told);
}

TEST(WireDemand, WhatProxiesCountedReplacesAnyFormula)
{
    RunFacts run = ranksOn({"node-a", "node-b"});
    together(run, Kind::Allreduce, 8 * mega);
    run.ranks[0].wires[keyOf(run.ranks[0].collectives[0])] = {9e6, 8.5e6};
    const auto demands = wireDemandOf(run);
    EXPECT_NEAR(demands.at("node-a").sent.grown(), 9e6, 1);
    EXPECT_NEAR(demands.at("node-a").received.grown(), 8.5e6, 1);
    EXPECT_EQ(demands.at("node-a").collectives.counted, 1);
    EXPECT_EQ(demands.at("node-b").collectives.counted, 0);
}

class PortTrafficTest : public SmallRun {
protected:
    PortTrafficTest() { read(process(100, 0), "/data/a", {1, 2}, 10); }

    /// What an interface or port counts over the second.
    void interface(const std::string& name, double in, double out) { counters(Counter::NicRxBytes, Counter::NicTxBytes, name, in, out); }
    void rdmaPort(const std::string& name, double in, double out)
    {
        counters(Counter::IbRxBytes, Counter::IbTxBytes, name, in / 4, out / 4);
    }
    void mount(double in) { grow(Counter::NfsReadReceived, "/data", in); }
    void grow(Counter counter, const std::string& source, double by)
    {
        sample(0, counter, 0, 1000, source);
        sample(0, counter, second, 1000 + static_cast<std::int64_t>(by), source);
    }

    /// A connection of the first host over the second.
    void connection(const std::string& name, std::uint64_t cookie, std::pair<double, double> sentAndReceived)
    {
        put(1, {0,
                second,
                cookie,
                Kind::SocketBytes,
                0,
                {store.name("tcp " + name), static_cast<std::int64_t>(sentAndReceived.first),
                 static_cast<std::int64_t>(sentAndReceived.second), 0}});
    }
    /// Where 10.0.0.2 is.
    void makeOtherHost()
    {
        host = store.host({0, "node-b", "another boot", 0});
        const store::Id other = process(200, 1, 2);
        put(other, {0, second, 9, Kind::SocketBytes, 0, {store.name("tcp 10.0.0.2:6 -> 10.0.0.1:5"), 0, 0, 0}});
    }

    /// Of the first host, by the facts of a whole run.
    NetworkFacts network(const RunFacts& run) { return networkFactsOf(finished(), run); }

private:
    void counters(Counter received, Counter sent, const std::string& name, double in, double out)
    {
        grow(received, name, in);
        grow(sent, name, out);
    }
};

void expectCarried(const Carried& carried, double gradients, double storage, double unexplained)
{
    EXPECT_NEAR(carried.gradients, gradients, 2);
    EXPECT_NEAR(carried.storage, storage, 2);
    EXPECT_NEAR(carried.unexplained(), unexplained, 2);
}

TEST_F(PortTrafficTest, StorageOnAPortOfItsOwn)
{
    interface("eth0", 10.1 * mega, 10.1 * mega);
    interface("eth1", 5.2 * mega, 0.1 * mega);
    mount(5 * mega);
    const NetworkFacts found = network(twoHosts());
    ASSERT_EQ(found.ports.size(), 2U);
    expectCarried(found.ports[0].run.received, 10 * mega, 0, 0.1 * mega);
    expectCarried(found.ports[1].run.received, 0, 5 * mega, 0.2 * mega);
    expectCarried(found.ports[1].run.sent, 0, 0, 0.1 * mega);
}

TEST_F(PortTrafficTest, StorageAndGradientsOnTheSamePort)
{
    interface("eth0", 15.5 * mega, 10.3 * mega);
    mount(5 * mega);
    const NetworkFacts found = network(twoHosts());
    expectCarried(found.ports.at(0).run.received, 10 * mega, 5 * mega, 0.5 * mega);
    expectCarried(found.ports.at(0).run.sent, 10 * mega, 0, 0.3 * mega);
    EXPECT_NEAR(found.hosts.at(0).storageBySymmetry(), 5.2 * mega, 2) << "what was sent came in too, the rest is storage";
}

TEST_F(PortTrafficTest, ConnectionsExplainWhatIsNeitherGradientsNorCountedStorage)
{
    interface("eth0", 18 * mega, 10.4 * mega);
    connection("10.0.0.1:5 -> 10.0.0.2:6", 1, {10.3 * mega, 10.2 * mega});  // the collectives, and 0.3 MB and 0.2 MB beside
    connection("10.0.0.1:7 -> 10.9.9.9:443", 2, {0.05 * mega, 7.5 * mega});
    connection("127.0.0.1:7 -> 127.0.0.1:8", 3, {90 * mega, 90 * mega});
    makeOtherHost();
    const NetworkFacts found = network(twoHosts());
    ASSERT_EQ(found.connections.size(), 4U);
    expectCarried(found.ports.at(0).run.received, 10 * mega, 0, 0.3 * mega);
    expectCarried(found.ports.at(0).run.sent, 10 * mega, 0, 0.05 * mega);
    EXPECT_NEAR(found.ports.at(0).run.received.connections, 7.7 * mega, 2);
}

TEST_F(PortTrafficTest, CollectivesThatConnectionsHardlyMovedAreExpectedAsBefore)
{
    interface("eth0", 1 * mega, 1 * mega);
    rdmaPort("mlx5_0/1", 10 * mega, 10 * mega);
    connection("10.0.0.1:5 -> 10.0.0.2:6", 1, {0.4 * mega, 0.4 * mega});
    makeOtherHost();
    const NetworkFacts found = network(twoHosts());
    EXPECT_EQ(found.ports.at(1).run.sent.connections, 0) << "TCP goes through no RDMA port";
    EXPECT_NEAR(found.ports.at(0).run.sent.connections + found.ports.at(0).run.sent.gradients, std::max(0.4, 10.0 / 11) * mega, 2);
}

TEST_F(PortTrafficTest, TheSlavesOfABondShareBoth)
{
    interface("eth0", 9 * mega, 6 * mega);
    interface("eth1", 6 * mega, 4 * mega);
    mount(5 * mega);
    const NetworkFacts found = network(twoHosts());
    expectCarried(found.ports.at(0).run.received, 6 * mega, 3 * mega, 0);
    expectCarried(found.ports.at(1).run.received, 4 * mega, 2 * mega, 0);
}

TEST_F(PortTrafficTest, GradientsOverRoceAndStorageOverTheSameAdaptersTcp)
{
    rdmaPort("mlx5_0/1", 10.2 * mega, 10.2 * mega);
    interface("eth0", 5 * mega, 0);
    mount(5 * mega);
    const NetworkFacts found = network(twoHosts());
    ASSERT_EQ(found.ports.size(), 2U) << "an interface's own statistics do not hold what RDMA moves past it";
    EXPECT_EQ(found.ports[1].port.kind, PortKind::Rdma);
    expectCarried(found.ports[0].run.received, 0, 5 * mega, 0);
    expectCarried(found.ports[1].run.received, 10 * mega, 0, 0.2 * mega);
}

TEST_F(PortTrafficTest, StorageOverIpOnInfinibandIsInThePortsBytes)
{
    rdmaPort("mlx5_0/1", 15.3 * mega, 10.1 * mega);
    interface("ib0", 5.1 * mega, 0.1 * mega);
    mount(5 * mega);
    const NetworkFacts found = network(twoHosts());
    ASSERT_EQ(found.ports.size(), 1U) << "ib0 shows the port's bytes once more";
    expectCarried(found.ports[0].run.received, 10 * mega, 5 * mega, 0.3 * mega);
}

TEST_F(PortTrafficTest, StorageOverRdmaIsKnownFromItsClientOnly)
{
    rdmaPort("mlx5_0/1", 15.2 * mega, 10.1 * mega);
    grow(Counter::NfsReadReceived, "/data", 0.02 * mega);  // the replies alone: data went past them
    grow(Counter::NfsFetchedBytes, "/data", 5 * mega);
    const NetworkFacts found = network(twoHosts());
    expectCarried(found.ports.at(0).run.received, 10 * mega, 5 * mega, 0.2 * mega);
}

TEST_F(PortTrafficTest, OnOneHostAllThatCameInIsStorage)
{
    interface("eth0", 5.1 * mega, 0.1 * mega);
    mount(5 * mega);
    RunFacts run = ranksOn({"node-a", "node-a"});
    together(run, Kind::Allreduce, 10 * mega);
    const NetworkFacts found = network(run);
    expectCarried(found.ports.at(0).run.received, 0, 5 * mega, 0.1 * mega);
    EXPECT_EQ(found.hosts.at(0).collectives.all, 0);
}

TEST_F(PortTrafficTest, MoreExpectedThanMovedIsAResidualBelowZero)
{
    interface("eth0", 4 * mega, 4 * mega);
    expectCarried(network(twoHosts()).ports.at(0).run.sent, 10 * mega, 0, -6.0 * mega);
}

TEST_F(PortTrafficTest, HeadersOfCountedPacketsAreNotLeftUnexplained)
{
    interface("eth0", 10'066'000 + 66'000, 10 * mega);
    grow(Counter::NicRxPackets, "eth0", 1000);
    const Carried received = network(twoHosts()).ports.at(0).run.received;
    EXPECT_NEAR(received.headers, 66'000, 1);
    EXPECT_NEAR(received.unexplained(), 66'000, 2);
}

TEST_F(PortTrafficTest, EpochsAndPeaksAreOfTheirTime)
{
    for (int tenth = 0; tenth <= 10; ++tenth) {
        const std::int64_t moved = tenth <= 5 ? tenth * 2 * mega : 10 * mega;  // 10 MB in the first half
        sample(0, Counter::IbRxBytes, tenth * second / 10, moved / 4, "mlx5_0/1");
        sample(0, Counter::IbTxBytes, tenth * second / 10, moved / 4, "mlx5_0/1");
    }
    sample(0, Counter::IbDataRate, 0, 200, "mlx5_0/1");  // 200 Mbit/s
    RunFacts run = twoHosts();
    run.epochs.resize(2);
    run.epochs[0].when = {0, second / 2};
    run.epochs[1].when = {second / 2, second};
    const NetworkFacts found = network(run);
    expectCarried(found.ports.at(0).epochs.at(0).sent, 10 * mega, 0, 0);
    expectCarried(found.ports.at(0).epochs.at(1).sent, 0, 0, 0);
    EXPECT_NEAR(found.ports[0].peakSent, 20 * mega, 1);
    EXPECT_NEAR(found.ports[0].peakShare().value(), 0.8, 1e-6);
    EXPECT_TRUE(found.ports[0].full.empty()) << "four fifths of its link";
}

TEST_F(PortTrafficTest, AnInterfaceHasTheCeilingThatItsDriverTells)
{
    interface("eth0", 10 * mega, 5 * mega);
    sample(0, Counter::NicDataRate, 0, 25'000, "eth0");
    EXPECT_DOUBLE_EQ(network(twoHosts()).ports.at(0).port.rate.value(), 25e9 / 8);
}

TEST_F(PortTrafficTest, WithoutACountOfStorageWhatCameInMoreThanWentOutTellsIt)
{
    interface("eth0", 15 * mega, 10 * mega);
    const NetworkFacts found = network(twoHosts());
    EXPECT_FALSE(found.hosts.at(0).storage.known());
    EXPECT_NEAR(found.hosts.at(0).storageBySymmetry(), 5 * mega, 2);
    expectCarried(found.ports.at(0).run.received, 10 * mega, 0, 5 * mega);
}

}  // namespace
}  // namespace flowgauge::facts
