// SPDX-License-Identifier: MIT
#include "instrument/socket/reading.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <cstring>

namespace flowgauge::sockets {
namespace {

constexpr std::size_t newest = 280;  ///< Linux 6.12; before 4.19 it was 192, before 4.6 136

/// A connection that sent 1,000 bytes, 100 of them twice, has 50 that wait, and received 2,000.
struct Info {
    std::array<unsigned char, newest> bytes{};
    std::int64_t outstanding = 50;

    explicit Info(unsigned char state)
    {
        bytes[0] = state;
        put<std::uint32_t>(68, 250);    // rtt
        put<std::uint64_t>(120, 1001);  // bytes_acked, the SYN in it
        put<std::uint64_t>(128, 2000);  // bytes_received
        put<std::uint32_t>(144, 50);    // notsent_bytes
        put<std::uint64_t>(168, 70);    // busy_time
        put<std::uint64_t>(176, 30);    // rwnd_limited
        put<std::uint64_t>(184, 20);    // sndbuf_limited
        put<std::uint64_t>(200, 1100);  // bytes_sent
        put<std::uint64_t>(208, 100);   // bytes_retrans
    }
    template <typename Number>
    void put(std::size_t at, Number number)
    {
        std::memcpy(bytes.data() + at, &number, sizeof number);
    }
    [[nodiscard]] Asked parse(std::size_t length, Reading& into) const { return parseTcpInfo(bytes.data(), length, outstanding, into); }
};

constexpr unsigned char established = 1, synSent = 2, finWait1 = 4, closed = 7, closeWait = 8, listening = 10;

TEST(TcpInfo, SaysWhatTheConnectionMovedEachByteOnce)
{
    Reading reading;
    ASSERT_EQ(Info(established).parse(newest, reading), Asked::Connection);
    EXPECT_EQ(reading.sent, 1000);
    EXPECT_EQ(reading.notSent, 50);
    EXPECT_EQ(reading.received, 2000);
    EXPECT_EQ(reading.resent, 100);
    EXPECT_EQ(reading.rttUs, 250);
    EXPECT_EQ(reading.busyUs, 70);
    EXPECT_EQ(reading.receiverLimitedUs, 30);
    EXPECT_EQ(reading.bufferLimitedUs, 20);
}

TEST(TcpInfo, WhatTheOwnQueueDroppedIsNotSentTwice)
{
    Reading reading;
    Info info(established);
    info.put<std::uint64_t>(200, 1500);  // 400 of it by packets that never left, and are no retransmissions
    info.put<std::uint64_t>(120, 801);
    info.outstanding = 250;  // 200 on their way, 50 that wait
    ASSERT_EQ(info.parse(newest, reading), Asked::Connection);
    EXPECT_EQ(reading.sent, 1001) << "the SYN's one in it";
    info.outstanding = -1;
    ASSERT_EQ(info.parse(newest, reading), Asked::Connection);
    EXPECT_EQ(reading.sent, 1400) << "nothing better is known";
}

TEST(TcpInfo, WhatAnOlderKernelDoesNotTellIsNotZero)
{
    Reading reading;
    ASSERT_EQ(Info(established).parse(136, reading), Asked::Connection);  // Linux 4.2
    EXPECT_EQ(reading.sent, 1000) << "acknowledged, less the SYN";
    EXPECT_EQ(reading.received, 2000);
    EXPECT_EQ(reading.resent, -1);
    EXPECT_EQ(reading.busyUs, -1);
    EXPECT_EQ(Info(established).parse(104, reading), Asked::NoTcp) << "Linux 3.10 counts no bytes";
}

TEST(TcpInfo, TheFarSidesFinIsNoByte)
{
    Reading reading;
    ASSERT_EQ(Info(closeWait).parse(newest, reading), Asked::Connection);
    EXPECT_EQ(reading.received, 1999);
}

TEST(TcpInfo, NeitherIsTheOwnFinAmongBytesThatWait)
{
    Reading reading;
    ASSERT_EQ(Info(finWait1).parse(newest, reading), Asked::Connection);
    EXPECT_EQ(reading.notSent, 49);
    ASSERT_EQ(Info(closed).parse(newest, reading), Asked::Connection);
    EXPECT_EQ(reading.notSent, 0) << "it goes nowhere any more";
}

TEST(TcpInfo, StatesThatAreNoConnection)
{
    Reading reading;
    EXPECT_EQ(Info(synSent).parse(newest, reading), Asked::NotYet);
    EXPECT_EQ(Info(listening).parse(newest, reading), Asked::Listening);
    Info never(closed);
    for (const std::size_t at : {120U, 128U, 200U, 208U}) never.put<std::uint64_t>(at, 0);
    EXPECT_EQ(never.parse(newest, reading), Asked::NotYet) << "a socket that was never connected";
    EXPECT_EQ(Info(closed).parse(newest, reading), Asked::Connection) << "one that was reset";
}

TEST(TcpInfo, TheKernelSaysWhatIsTcp)
{
    Reading reading;
    const int tcp = ::socket(AF_INET6, SOCK_STREAM, 0), udp = ::socket(AF_INET, SOCK_DGRAM, 0), local = ::socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_TRUE(isTcp(tcp));
    EXPECT_FALSE(isTcp(udp));
    EXPECT_FALSE(isTcp(local));
    EXPECT_FALSE(isTcp(STDIN_FILENO));
    EXPECT_EQ(askTcp(tcp, reading), Asked::NotYet);
    for (const int other : {udp, local, -1}) EXPECT_EQ(askTcp(other, reading), Asked::NoTcp);
    const int copy = ::dup(tcp);
    EXPECT_EQ(cookieOf(copy), cookieOf(tcp));
    EXPECT_NE(cookieOf(udp), cookieOf(tcp));
    for (const int fd : {tcp, udp, local, copy}) ::close(fd);
}

}  // namespace
}  // namespace flowgauge::sockets
