// SPDX-License-Identifier: MIT
#include "analyzer/facts/host_names.h"

#include <gtest/gtest.h>

namespace flowgauge::facts {
namespace {

const std::vector<store::HostRow> hosts{{1, "node", "boot-a", 0}, {2, "other", "boot-b", 0}, {3, "node", "boot-c", 0}};

TEST(HostNames, OfTwoHostsThatShareOneStayApart)
{
    EXPECT_EQ(nameOfHost(hosts, 1), "node");
    EXPECT_EQ(nameOfHost(hosts, 2), "other");
    EXPECT_EQ(nameOfHost(hosts, 3), "node #2");
    EXPECT_EQ(nameOfHost(hosts, 9), "unknown host");
}

TEST(HostNames, ThatSeveralShareFindNone)
{
    EXPECT_EQ(findHost(hosts, "other"), &hosts[1]);
    EXPECT_EQ(findHost(hosts, "node"), nullptr);
    EXPECT_EQ(findHost(hosts, "nobody"), nullptr);
}

}  // namespace
}  // namespace flowgauge::facts
