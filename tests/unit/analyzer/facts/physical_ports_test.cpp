// SPDX-License-Identifier: MIT
#include "analyzer/facts/physical_ports.h"

#include "analyzer/facts/file_systems.h"
#include "analyzer/facts/port_traffic.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

constexpr Nanos second = 1'000'000'000;

using PhysicalPorts = SmallRun;

TEST_F(PhysicalPorts, StandBesideWhatTheirInterfaceShowsAndAreInNoSum)
{
    grow(Counter::NicRxBytes, 1000, 1500, "eth0");
    grow(Counter::NicTxBytes, 10, 20, "eth0");
    grow(Counter::NicPortRxBytes, 5000, 9500, "eth0");
    grow(Counter::NicPortTxBytes, 5000, 5020, "eth0");
    grow(Counter::NicRdmaRxBytes, 0, 4000, "eth0");
    grow(Counter::NicRxPauses, 0, 9, "eth0/prio3");
    grow(Counter::NicRxBytes, 0, 7, "eth1");
    store::RunStore& recorded = finished();
    const std::vector<PhysicalPort> ports = physicalPortsOf(recorded);
    ASSERT_EQ(ports.size(), 1U) << "eth1's driver tells nothing";
    EXPECT_EQ(ports[0].interface, "eth0");
    EXPECT_DOUBLE_EQ(ports[0].received, 4500);
    EXPECT_DOUBLE_EQ(ports[0].sent, 20);
    EXPECT_DOUBLE_EQ(ports[0].shownReceived, 500);
    EXPECT_DOUBLE_EQ(ports[0].shownSent, 10);
    EXPECT_DOUBLE_EQ(ports[0].rdmaReceived, 4000);
    EXPECT_DOUBLE_EQ(ports[0].rdmaSent, 0);

    const PortTraffic traffic(recorded, RunFacts{});
    ASSERT_EQ(traffic.ports().size(), 2U);
    EXPECT_DOUBLE_EQ(traffic.within(0, {0, second}).received.moved, 500) << "the interface's own bytes alone";
}

/// The driver is asked less often than the interface.
TEST_F(PhysicalPorts, AreComparedOverTheTimeInWhichTheirDriverWasAsked)
{
    for (const auto& [at, value] : {std::pair{Nanos{0}, 0}, {second, 100}, {2 * second, 200}, {3 * second, 300}})
        sample(0, Counter::NicRxBytes, at, value, "eth0");
    sample(0, Counter::NicPortRxBytes, second, 1000, "eth0");
    sample(0, Counter::NicPortRxBytes, 2 * second, 1110, "eth0");
    const std::vector<PhysicalPort> ports = physicalPortsOf(finished());
    ASSERT_EQ(ports.size(), 1U);
    EXPECT_DOUBLE_EQ(ports[0].received, 110);
    EXPECT_DOUBLE_EQ(ports[0].shownReceived, 100);
}

TEST_F(PhysicalPorts, ParallelFileSystemsAreToldAMountEach)
{
    grow(Counter::FsAskedBytes, 0, 3000, "/scratch");
    grow(Counter::FsFetchedBytes, 0, 1000, "/scratch");
    grow(Counter::FsFetchedBytes, 0, 70, "/ceph");
    grow(Counter::FsSentBytes, 0, 30, "/ceph");
    const std::vector<FileSystemBytes> all = fileSystemsOf(finished());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].mount, "/ceph");
    EXPECT_FALSE(all[0].asked.known());
    EXPECT_DOUBLE_EQ(all[0].fetched.value(), 70);
    EXPECT_DOUBLE_EQ(all[0].sent.value(), 30);
    EXPECT_EQ(all[1].mount, "/scratch");
    EXPECT_DOUBLE_EQ(all[1].asked.value(), 3000);
    EXPECT_DOUBLE_EQ(all[1].fetched.value(), 1000);
    EXPECT_FALSE(all[1].sent.known());
}

}  // namespace
}  // namespace flowgauge::facts
