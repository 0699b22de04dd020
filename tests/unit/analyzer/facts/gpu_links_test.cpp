// SPDX-License-Identifier: MIT
#include "analyzer/facts/gpu_links.h"

#include "analyzer/facts/watched.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

constexpr Nanos second = 1'000'000'000;
constexpr double giga = 1e9;

class GpuLinks : public SmallRun {};

TEST_F(GpuLinks, AreKnownByWhatTheyMovedTheirBusiestSecondAndTheirRate)
{
    for (const auto& [at, kib] : {std::pair{Nanos{0}, 1000}, {second, 3000}, {2 * second, 4000}})
        sample(0, Counter::GpuNvlinkRx, at, kib, "GPU-a");
    for (const auto& [at, megabits] : {std::pair{Nanos{0}, 32'000}, {second, 252'064}, {2 * second, 32'000}})
        sample(0, Counter::GpuPcieRate, at, megabits, "GPU-a");
    sample(0, Counter::GpuNvlinkRate, 0, 2'475'000, "GPU-a");
    sample(0, Counter::GpuNvlinkTx, 0, 5, "GPU-b");
    sample(0, Counter::GpuNvlinkTx, second, 5, "GPU-b");
    const auto links = gpuLinksOf(finished());
    ASSERT_EQ(links.size(), 2U) << "GPU-b's links neither moved anything nor told a rate";
    EXPECT_EQ(links[0].kind, GpuLinkKind::Nvlink);
    EXPECT_DOUBLE_EQ(links[0].received, 3000.0 * 1024);
    EXPECT_DOUBLE_EQ(links[0].peakReceived, 2000.0 * 1024);
    EXPECT_DOUBLE_EQ(links[0].sent, 0);
    EXPECT_DOUBLE_EQ(links[0].rate.value(), 2475 * giga / 8);
    EXPECT_EQ(links[1].kind, GpuLinkKind::Pcie);
    EXPECT_DOUBLE_EQ(links[1].rate.value(), 252.064 * giga / 8) << "the largest, which an idle GPU lowers";
}

TEST_F(GpuLinks, OfTwoHostsOfOneNameStayApart)
{
    sample(0, Counter::GpuNvlinkRate, 0, 400'000, "GPU 0");
    host = store.host({0, "node-a", "another boot", 0});
    sample(0, Counter::GpuNvlinkRate, 0, 200'000, "GPU 0");
    store::RunStore& run = finished();
    const auto links = gpuLinksOf(run);
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(links[0].host, "node-a");
    EXPECT_DOUBLE_EQ(links[0].rate.value(), 400 * giga / 8);
    EXPECT_EQ(links[1].host, "node-a #2");
    EXPECT_DOUBLE_EQ(links[1].rate.value(), 200 * giga / 8);
    const auto watched = watchedOf(run, CounterFamily::Gpu);
    ASSERT_EQ(watched.size(), 2U);
    EXPECT_EQ(watched[0].host, "node-a");
    EXPECT_EQ(watched[1].host, "node-a #2");
}

/// An allreduce of 8 GPUs on one node, or of two nodes of 4, that takes 10 ms.
CollectiveFigures allreduceOn(std::int64_t hosts)
{
    CollectiveFigures figures;
    figures.kind = Kind::Allreduce;
    figures.ranks = 8;
    figures.hosts = hosts;
    figures.transfer = 10'000'000;
    figures.wire = wireBytesOf(Kind::Allreduce, giga, {hosts, 8 / hosts}, CommAlgorithm::Ring, CommProtocol::Simple);
    return figures;
}

GpuLink linkOf(GpuLinkKind kind, double rate)
{
    GpuLink link{"node-a", "GPU-a", kind};
    link.rate = rate;
    return link;
}

PortFacts portOf(const std::string& host, const std::string& name, PortKind kind, double rate)
{
    PortFacts facts;
    facts.port = {host, name, kind, true, rate};
    return facts;
}

TEST(LinkUse, OnOneHostIsHeldAgainstTheSlowestGpusNvlinksThenAgainstPcie)
{
    NetworkFacts network;
    network.gpuLinks = {linkOf(GpuLinkKind::Nvlink, 450 * giga), linkOf(GpuLinkKind::Nvlink, 350 * giga),
                        linkOf(GpuLinkKind::Pcie, 50 * giga)};
    EXPECT_NEAR(linkUseOf(allreduceOn(1), network).value(), 175.0 / 350, 1e-9) << "2 x 7/8 of 1 GB in 10 ms";
    network.gpuLinks.erase(network.gpuLinks.begin(), network.gpuLinks.begin() + 2);
    EXPECT_NEAR(linkUseOf(allreduceOn(1), network).value(), 175.0 / 50, 1e-9) << "more than all: shown as it is, something is wrong";
}

TEST(LinkUse, BetweenHostsIsHeldAgainstAllRdmaPortsOfTheHostThatHasLeast)
{
    NetworkFacts network;
    network.gpuLinks = {linkOf(GpuLinkKind::Nvlink, 450 * giga)};
    for (const char* const host : {"node-a", "node-b"})
        for (const char* const port : {"mlx5_0/1", "mlx5_1/1"})
            network.ports.push_back(portOf(host, port, PortKind::Rdma, (host[5] == 'a' ? 50 : 100) * giga));
    network.ports.push_back(portOf("node-a", "eth0", PortKind::Interface, giga));
    EXPECT_NEAR(linkUseOf(allreduceOn(2), network).value(), 175.0 / 100, 1e-9);
    network.ports.erase(network.ports.begin(), network.ports.begin() + 4);
    EXPECT_NEAR(linkUseOf(allreduceOn(2), network).value(), 175.0, 1e-6) << "the interface, where there is no other port";
}

TEST(LinkUse, IsNotMeasuredWithoutBytesRateOrTime)
{
    NetworkFacts network;
    EXPECT_EQ(linkUseOf(allreduceOn(1), network).reason(), "no GPU told the rate of its links");
    EXPECT_EQ(linkUseOf(allreduceOn(2), network).reason(), "no port told its rate");
    CollectiveFigures figures = allreduceOn(1);
    figures.transfer = 0;
    EXPECT_EQ(linkUseOf(figures, network).reason(), "its transfer took no time");
    figures.wire = Measured<WireBytes>::missing("nothing told the algorithm");
    EXPECT_EQ(linkUseOf(figures, network).reason(), "nothing told the algorithm");
}

}  // namespace
}  // namespace flowgauge::facts
