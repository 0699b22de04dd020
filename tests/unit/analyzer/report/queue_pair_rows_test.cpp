// SPDX-License-Identifier: MIT
#include "analyzer/report/queue_pair_rows.h"

#include <gtest/gtest.h>

namespace flowgauge::report {
namespace {

findings::QueuePairRow counted(double job, Measured<double> port)
{
    findings::QueuePairRow row;
    row.host = "node-a";
    row.port = "mlx5_0/1";
    row.what = "times the far side lost packets";
    row.job = job;
    row.others = 5;
    row.portInAll = port;
    return row;
}

TEST(QueuePairRows, HoldTheJobsAgainstThePorts)
{
    findings::QueuePairRow naks = counted(1200, 4000.0);
    naks.ranks = {{0, 200}, {1, 0}, {2, 1000}};
    findings::QueuePairRow sent = counted(4e6, Measured<double>::missing("the port's own was not read"));
    sent.isBytes = true;
    sent.ranks = {{0, 1e6}, {1, 1e6}, {2, 1e6}, {3, 0.5e6}, {4, 0.5e6}};
    const auto rows = queuePairRows({naks, sent, naks}, 2);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1], (std::vector<std::string>{"node-a", "mlx5_0/1", "times the far side lost packets", "4,000", "1,200", "5",
                                                 "1,000 by rank 2, 200 by rank 0"}));
    EXPECT_EQ(rows[2][3], "–");
    EXPECT_EQ(rows[2][4], "4.00 MB");
    EXPECT_EQ(rows[2][6], "1.00 MB by rank 0, 1.00 MB by rank 1, 1.00 MB by rank 2, 500 kB by rank 3, 1 more rank");
    EXPECT_EQ(rows[3][1], "1 more counter");
    EXPECT_TRUE(queuePairRows({}, 4).empty());
}

}  // namespace
}  // namespace flowgauge::report
