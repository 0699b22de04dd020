// SPDX-License-Identifier: MIT
#include "analyzer/report/connection_rows.h"

#include <gtest/gtest.h>

namespace flowgauge::report {
namespace {

findings::ConnectionRow rowTo(const std::string& peer, double sent)
{
    findings::ConnectionRow row;
    row.host = "node-a";
    row.peer = peer;
    row.where = "other host";
    row.connections = 3;
    row.sent = sent;
    row.received = 2e6;
    row.resent = sent / 50;
    row.rttMedianUs = 250;
    row.rttMostUs = Measured<double>::missing("no round trip was measured");
    return row;
}

TEST(ConnectionRows, TellAPeerALineAndCountTheRest)
{
    const auto rows = connectionRows({rowTo("node-b", 10e6), rowTo("node-c", 1e6)}, 1);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1], (std::vector<std::string>{"node-a", "node-b", "other host", "3", "10.0 MB", "2.00 MB", "2 %", "250 µs", "–"}));
    EXPECT_EQ(rows[2][1], "1 more peer");
    EXPECT_TRUE(connectionRows({}, 4).empty());
}

TEST(ConnectionRows, SmallTalkIsLeftToTheLongerForms)
{
    findings::ConnectionRow small = rowTo("10.0.0.9", 0.1e6);
    small.received = 0.8e6;
    EXPECT_EQ(worthALine({rowTo("node-b", 0), small}).size(), 1U);
}

TEST(ConnectionRows, NothingSentHasNoShareThatWasSentAgain)
{
    EXPECT_FALSE(rowTo("node-b", 0).resentShare().known());
    EXPECT_EQ(rowTo("node-b", 100).resentShare(), Measured<double>(0.02));
}

}  // namespace
}  // namespace flowgauge::report
