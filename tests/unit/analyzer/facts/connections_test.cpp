// SPDX-License-Identifier: MIT
#include "analyzer/facts/connections.h"

#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

class ConnectionsTest : public SmallRun {
protected:
    /// A reading of a connection, and a round trip of 200 us beside it.
    void reading(store::Id process, const std::string& name, std::uint64_t cookie, Interval when, std::array<std::int64_t, 3> totals)
    {
        put(process, {when.begin, when.end, cookie, Kind::SocketBytes, 0, {store.name("tcp " + name), totals[0], totals[1], totals[2]}});
        put(process, {when.begin, when.end, cookie, Kind::SocketLimits, 0, {200, 10, 0, 0}});
    }
};

TEST(ConnectionSides, AreTheHostsOfTheName)
{
    EXPECT_EQ(sidesOf("tcp 10.0.0.1:5 -> 10.0.0.2:443").own, "10.0.0.1");
    EXPECT_EQ(sidesOf("tcp 10.0.0.1:5 -> [2001:db8::2]:443").peer, "[2001:db8::2]");
    EXPECT_EQ(sidesOf("tcp 10.0.0.1:5 -> ?").peer, "");
    EXPECT_EQ(sidesOf("eth0").own, "");
}

TEST_F(ConnectionsTest, TotalsGrowBetweenReadings)
{
    const store::Id rank = process(1, 0);
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {100, 200}, {1000, 40, 0});
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {200, 300}, {3000, 50, 300});
    const Connections connections(finished());
    ASSERT_EQ(connections.peers().size(), 1U);
    const PeerConnections& peer = connections.peers().front();
    EXPECT_EQ(peer.peer, "10.9.9.9");
    EXPECT_EQ(peer.kind, PeerKind::Elsewhere);
    EXPECT_EQ(peer.connections, 1);
    EXPECT_EQ(peer.run.sent, 3000);
    EXPECT_EQ(peer.run.received, 50);
    EXPECT_EQ(peer.resent, Measured<double>(300));
    EXPECT_EQ(peer.rttMedianUs, Measured<double>(200));
    EXPECT_EQ(connections.within(0, {150, 250}).sent, 500 + 1000);
    EXPECT_EQ(connections.within(0, {300, 900}).sent, 0);
}

TEST_F(ConnectionsTest, ASocketThatProcessesShareCountsOnce)
{
    const store::Id parent = process(1, 0), child = process(2, 0, 1, 1);
    reading(parent, "10.0.0.1:5 -> 10.9.9.9:443", 7, {100, 200}, {1000, 0, 0});
    reading(child, "10.0.0.1:5 -> 10.9.9.9:443", 7, {200, 300}, {1500, 0, 0});
    reading(parent, "10.0.0.1:5 -> 10.9.9.9:443", 7, {200, 310}, {1500, 0, 0});
    reading(child, "10.0.0.1:6 -> 10.9.9.9:443", 8, {200, 300}, {1, 0, 0});
    const Connections connections(finished());
    ASSERT_EQ(connections.peers().size(), 1U);
    EXPECT_EQ(connections.peers().front().run.sent, 1501);
    EXPECT_EQ(connections.peers().front().connections, 2);
}

TEST_F(ConnectionsTest, OneThatWasFoundBeforeItsMakingWasToldCountsWhole)
{
    const store::Id rank = process(1, 0);
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {100, 100}, {0, 171, 0});
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {101, 101}, {0, 0, 0});
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {100, 300}, {5071, 171, 0});
    const Connections connections(finished());
    ASSERT_EQ(connections.peers().size(), 1U);
    EXPECT_EQ(connections.peers().front().run.sent, 5071);
    EXPECT_EQ(connections.peers().front().run.received, 171);
}

TEST_F(ConnectionsTest, WhatAConnectionHadMovedWhenItWasFoundIsInNoSum)
{
    const store::Id rank = process(1, 0);
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {200, 200}, {1'000'000, 0, -1});
    reading(rank, "10.0.0.1:5 -> 10.9.9.9:443", 7, {200, 300}, {1'000'010, 0, -1});
    const Connections connections(finished());
    EXPECT_EQ(connections.peers().front().run.sent, 10);
    EXPECT_FALSE(connections.peers().front().resent.known()) << "this kernel does not tell";
}

TEST_F(ConnectionsTest, AHostIsWhereverAProcessHadItsOwnSide)
{
    const store::Id one = process(1, 0, 2);
    host = store.host({0, "node-b", "another boot", 0});
    const store::Id other = process(2, 1, 2);
    host = 1;
    reading(one, "10.0.0.1:5 -> 10.0.0.2:6", 7, {100, 200}, {1000, 20, 0});
    reading(one, "10.0.0.1:8 -> 10.0.0.1:9", 8, {100, 200}, {5, 5, 0});
    reading(one, "127.0.0.1:8 -> 127.0.0.1:9", 9, {100, 200}, {5, 5, 0});
    host = 2;
    reading(other, "10.0.0.2:6 -> 10.0.0.1:5", 7, {100, 200}, {20, 1000, 0});
    const Connections connections(finished());
    ASSERT_EQ(connections.peers().size(), 3U);
    EXPECT_EQ(connections.peers()[0].peer, "node-b");
    EXPECT_EQ(connections.peers()[0].kind, PeerKind::OtherHost);
    EXPECT_EQ(connections.peers()[1].kind, PeerKind::SameHost);
    EXPECT_EQ(connections.peers()[1].connections, 2);
    EXPECT_EQ(connections.peers()[2].peer, "node-a");
    EXPECT_EQ(connections.within("node-a", PeerKind::OtherHost, {100, 150}).sent, 500);
    EXPECT_EQ(connections.within("node-b", PeerKind::OtherHost, {100, 150}).received, 500);
}

TEST_F(ConnectionsTest, OfManyReadingsTheSumStays)
{
    constexpr Nanos beat = 100'000'000;
    const store::Id name = store.name("tcp");
    std::vector<store::StoredEvent> events;
    for (Nanos at = 0; at < 2'100; ++at)
        for (std::uint64_t socket = 1; socket <= 1'000; ++socket)
            events.push_back({at * beat, (at + 1) * beat, socket, Kind::SocketBytes, 0, {name, at + 1, 2 * at, 0}});
    store.append(store.track({host, process(1, 0), 1, Lane::Socket, {}, 0}), events);
    const Connections connections(finished());
    ASSERT_EQ(connections.peers().size(), 1U);
    EXPECT_EQ(connections.peers().front().run.sent, 2'100 * 1'000);
    EXPECT_NEAR(connections.within(0, {0, 1'000 * beat}).sent, 1'000 * 1'000, 4 * 1'000);
}

TEST_F(ConnectionsTest, WithoutAnyThereIsNothingToSay) { EXPECT_TRUE(Connections(finished()).peers().empty()); }

}  // namespace
}  // namespace flowgauge::facts
