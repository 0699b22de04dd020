// SPDX-License-Identifier: MIT
#include "workloads/allreduce/grouping.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace flowgauge::workloads::allreduce;

namespace {

/// So many devices, of which each run of `cluster` is linked among itself.
DeviceLinks clusters(std::size_t devices, std::size_t cluster)
{
    DeviceLinks links(devices);
    for (std::size_t one = 0; one < devices; ++one)
        for (std::size_t other = one + 1; other < devices; ++other)
            if (one / cluster == other / cluster) links.link(one, other);
    return links;
}

using Devices = std::vector<std::size_t>;

}  // namespace

TEST(Grouping, MachinesAreCutWhereTheirLinksEnd)
{
    struct Machine {
        DeviceLinks links;
        std::size_t members, groupSize;
    };
    for (const auto& [links, members, groupSize] : {Machine{clusters(16, 16), 16, 16},  // a switch joins all
                                                    Machine{clusters(6, 3), 6, 3},      // two sockets of three
                                                    Machine{clusters(8, 1), 8, 1},      // PCIe alone
                                                    Machine{clusters(5, 3), 5, 1},      // three and two: nothing but one cuts both
                                                    Machine{clusters(6, 4), 6, 2}}) {
        const Grouping grouping = groupingOf(links, members, 0);
        EXPECT_EQ(grouping.groupSize, groupSize);
        EXPECT_EQ(grouping.deviceOf.size(), members);
    }
}

TEST(Grouping, VirtualMembersShareADeviceAndAGroup)
{
    const Grouping one = groupingOf(DeviceLinks(1), 5, 0);
    EXPECT_EQ(one.groupSize, 5U);
    EXPECT_EQ(one.deviceOf, (Devices{0, 0, 0, 0, 0}));

    const Grouping two = groupingOf(DeviceLinks(2), 6, 0);  // devices that do not reach each other
    EXPECT_EQ(two.groupSize, 3U);
    EXPECT_EQ(two.deviceOf, (Devices{0, 0, 0, 1, 1, 1}));
}

TEST(Grouping, EachGroupLiesWithinAClusterWhereverTheFirstDeviceIs)
{
    for (std::size_t first = 0; first < 6; ++first) {
        const Grouping grouping = groupingOf(clusters(6, 3), 12, first);
        ASSERT_EQ(grouping.groupSize, 6U);
        for (std::size_t member = 0; member < 12; ++member)
            EXPECT_EQ(grouping.deviceOf[member] / 3, grouping.deviceOf[member - member % 6] / 3) << first;
    }
}

TEST(Grouping, ADeviceOfTwoClustersJoinsOnlyOneThatItReachesWholly)
{
    DeviceLinks chain(3);
    chain.link(0, 1);
    chain.link(1, 2);
    const Grouping grouping = groupingOf(chain, 3, 0);
    EXPECT_EQ(grouping.groupSize, 1U);
    EXPECT_EQ(grouping.deviceOf, (Devices{0, 1, 2}));
}

TEST(Grouping, ASizeThatWasAskedForIsTakenOrRefusedWithItsReason)
{
    EXPECT_EQ(groupingOf(clusters(4, 4), 4, 0, 2).groupSize, 2U);
    const auto refusal = [](const DeviceLinks& links, std::size_t members, std::size_t groupSize) -> std::string {
        try {
            return std::to_string(groupingOf(links, members, 0, groupSize).groupSize);
        } catch (const std::invalid_argument& problem) {
            return problem.what();
        }
    };
    EXPECT_EQ(refusal(DeviceLinks(1), 4, 3), "groups of 3 do not cut 4 members without a rest");
    EXPECT_EQ(refusal(clusters(4, 2), 4, 4), "devices 0 and 2 do not reach each other's memory: choose smaller groups");
}
