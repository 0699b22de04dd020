// SPDX-License-Identifier: MIT
// Every public recording of RDMA ports (facts/network.md §7) gives the numbers of its files.
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>

namespace flowgauge::sample {
namespace {

using Number = std::optional<std::uint64_t>;
constexpr std::nullopt_t none = std::nullopt;

struct Expected {
    const char *machine, *port;
    Counter received;
    Number data, packets, rate;
    double bytesAPacket;  ///< received; 0: not to be told
};

const Expected recordings[] = {
    {"efa_p4d", "rdmap144s27/1", Counter::IbRxHwBytes, 85466418782288, none, 100000, 0},
    {"efa_new_names", "rdmap0s31/1", Counter::IbRxHwBytes, 0, none, none, 0},
    {"hfi1_edr", "hfi1_0/1", Counter::IbRxFlits, 345091702026, 638036947, 100000, 4327},
    {"mlx4_qdr_2port", "mlx4_0/1", Counter::IbRxBytes, 2221223609, 87169372, 32000, 102},
    {"mlx4_qdr_2port", "mlx4_0/2", Counter::IbRxBytes, 2460436784, 89332064, 32000, 110},
    {"mlx5_25g_1x", "mlx5_0/1", Counter::IbRxBytes, 18126345378, 541889824, 25000, 134},
    {"mlx5_bf3_bond", "mlx5_bond_0/1", Counter::IbRxBytes, 230539874932483, 317548853677, 200000, 2904},
    {"mlx5_h100_ndr", "mlx5_0/1", Counter::IbRxBytes, 230539874932483, 317548853677, 400000, 2904},
    {"mlx5_edr_waitsat", "mlx5_0/1", Counter::IbRxBytes, 237159415345822, 801977655075, none, 1183},
    {"mlx5_roce_bond_4k", "mlx5_bond_0/1", Counter::IbRxBytes, 34600185253, 34914071, none, 3964},
    {"mlx5_roce_2x", "rocep1s0f1/1", Counter::IbRxBytes, 81408901908, none, 200000, 0},
    {"mlx5_restricted_einval", "mlx5_0/1", Counter::IbRxBytes, 0, 0, 100000, 0},
    {"compat_netns", "mlx5_0/1", Counter::IbRxBytes, none, none, none, 0},
    {"i40iw_no_pma", "i40iw0/1", Counter::IbRxBytes, none, none, none, 0},
    {"azure_an_and_ib", "mlx5_ib0/1", Counter::IbRxBytes, none, none, none, 0},
    {"rate_zero", "mlx5_0/1", Counter::IbRxBytes, none, none, none, 0},
    {"rate_einval", "mlx5_0/1", Counter::IbRxBytes, none, none, none, 0},
};

TEST(PortFixture, EveryRecordingGivesItsNumbers)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    for (const Expected& expected : recordings) {
        SCOPED_TRACE(std::string(expected.machine) + " " + expected.port);
        const Notebook notebook;
        sampleOnce(fixtures() + "/ib/" + expected.machine);
        const Number data = notebook.value(expected.port, expected.received);
        EXPECT_EQ(data, expected.data);
        EXPECT_EQ(notebook.value(expected.port, Counter::IbDataRate), expected.rate);
        if (!expected.packets) continue;
        EXPECT_EQ(notebook.value(expected.port, Counter::IbRxPackets), expected.packets);
        if (expected.bytesAPacket == 0 || !data) continue;
        const double bytes = static_cast<double>(*data) * rowOf(expected.received).scale;
        EXPECT_NEAR(bytes / static_cast<double>(*expected.packets), expected.bytesAPacket, 1);
    }
}

}  // namespace
}  // namespace flowgauge::sample
