// SPDX-License-Identifier: MIT
// The quick ways of reading this machine against the files that everybody knows.
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flowgauge::sample {
namespace {

std::string textOf(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string numbersOf(const std::string& table, const std::string& name)
{
    NetDeviceLines lines(table);
    for (NetDevice device; lines.next(device);)
        if (device.name == name)
            return std::to_string(device.rxBytes) + " " + std::to_string(device.rxPackets) + " " + std::to_string(device.rxErrors) + " " +
                   std::to_string(device.rxDropped) + " " + std::to_string(device.txBytes) + " " + std::to_string(device.txPackets);
    return "";
}

std::string numbersOf(const LinkCounters& link)
{
    return std::to_string(link.rxBytes) + " " + std::to_string(link.rxPackets) + " " + std::to_string(link.rxErrors) + " " +
           std::to_string(link.rxDropped) + " " + std::to_string(link.txBytes) + " " + std::to_string(link.txPackets);
}

/// Sends some bytes over the loopback, so that its counters are not all zero.
void useLoopback()
{
    const int from = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in nobody = {};
    nobody.sin_family = AF_INET;
    nobody.sin_port = htons(9);
    nobody.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::sendto(from, "bytes", 5, 0, reinterpret_cast<sockaddr*>(&nobody), sizeof nobody);
    ::close(from);
}

/// The table read before and after the answer: where both agree, so must the answer.
TEST(RouteSocket, AnswersWhatTheTableShowsForEveryInterface)
{
    useLoopback();
    RouteSocket route;
    ASSERT_EQ(route.open(), 0);
    const std::string first = textOf("/proc/net/dev");
    int equal = 0, interfaces = 0;
    NetDeviceLines lines(first);
    for (NetDevice device; lines.next(device);) {
        ++interfaces;
        const std::string name(device.name);
        LinkCounters link;
        ASSERT_NE(route.indexOf(name), 0) << name;
        for (int attempt = 0; attempt < 200; ++attempt) {
            link.index = route.indexOf(name);
            const std::string before = textOf("/proc/net/dev");
            ASSERT_EQ(route.ask({&link, 1}), 0);
            const std::string after = textOf("/proc/net/dev");
            if (numbersOf(before, name) != numbersOf(after, name)) continue;  // traffic in between
            EXPECT_EQ(numbersOf(link), numbersOf(after, name)) << name;
            ++equal;
            break;
        }
    }
    EXPECT_EQ(equal, interfaces) << "an interface never stood still between two reads";
    route.close();
}

TEST(RouteSocket, OneQuestionIsForSeveralAndAnUnknownOneIsTold)
{
    RouteSocket route;
    ASSERT_EQ(route.open(), 0);
    const int loopback = route.indexOf("lo");
    std::array<LinkCounters, 3> links{LinkCounters{loopback}, LinkCounters{2'000'000'000}, LinkCounters{loopback}};
    ASSERT_EQ(route.ask(links), 0);
    EXPECT_EQ(links[0].index, loopback);
    EXPECT_EQ(links[1].index, 0);
    EXPECT_EQ(links[2].index, loopback);
    EXPECT_EQ(route.indexOf("no-such-if"), 0);
    EXPECT_EQ(route.indexOf(std::string(300, 'x')), 0);
    route.close();
    EXPECT_EQ(route.ask(links), EINVAL);
}

/// Three beats 10 ms apart: the table, then the files of bytes alone. Nothing that the first told is lost by the quick way.
TEST(LiveMachine, InterfacesAreTheSameByEveryWay)
{
    const Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make("", Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    const auto first = notebook.last;
    samplers->sample(10'000'000);
    samplers->sample(200'000'000);
    const std::string table = textOf("/proc/net/dev");
    HostSamplers::discard(samplers);
    if (notebook.found("nic").rfind("measured", 0) != 0) GTEST_SKIP() << notebook.found("nic");
    for (const auto& [place, value] : first) {
        if (rowOf(place.second).family != CounterFamily::Nic) continue;
        const std::uint64_t now = notebook.last.at(place);
        EXPECT_GE(now, value) << place.first;
        if (place.second != Counter::NicRxBytes) continue;
        NetDeviceLines lines(table);
        for (NetDevice device; lines.next(device);)
            if (device.name == place.first) {
                EXPECT_LE(now, device.rxBytes) << place.first;
            }
    }
}

TEST(LiveMachine, ADisksOwnFileSaysWhatTheTableSays)
{
    int equal = 0, disks = 0;
    const std::string table = textOf("/proc/diskstats");
    DiskLines lines(table);
    for (DiskLine disk; lines.next(disk);) {
        const std::string file = "/sys/block/" + std::string(disk.name) + "/stat";
        if (!std::filesystem::exists(file)) continue;
        ++disks;
        for (int attempt = 0; attempt < 200; ++attempt) {
            const std::string before = textOf(file), text = textOf("/proc/diskstats"), after = textOf(file);
            if (before != after) continue;
            DiskLine fromFile;
            ASSERT_TRUE(parseDiskNumbers(upTo(after, after.size() - 1), fromFile)) << file;
            DiskLines again(text);
            for (DiskLine line; again.next(line);)
                if (line.name == disk.name) {
                    EXPECT_EQ(line.readSectors, fromFile.readSectors);
                    EXPECT_EQ(line.busyMs, fromFile.busyMs);
                    ++equal;
                }
            break;
        }
    }
    EXPECT_EQ(equal, disks);
}

TEST(PortCounter, OneThatStandsStillIsAskedTenTimesASecondUntilItMoves)
{
    constexpr Nanos millisecond = 1'000'000;
    PortCounter counter;
    Nanos at = millisecond;
    for (; at < 1000 * millisecond; at += 10 * millisecond) {
        counter.plan(at, 5);
        EXPECT_EQ(counter.dueNs, at) << "with every beat";
    }
    counter.plan(1001 * millisecond, 5);
    EXPECT_EQ(counter.dueNs, 1096 * millisecond);
    counter.plan(1100 * millisecond, 6);
    EXPECT_EQ(counter.dueNs, 1100 * millisecond) << "it moves again";
    counter.leastNs = 950 * millisecond;
    counter.plan(9000 * millisecond, 6);
    EXPECT_EQ(counter.dueNs, 9950 * millisecond) << "never sooner than its row says";
}

}  // namespace
}  // namespace flowgauge::sample
