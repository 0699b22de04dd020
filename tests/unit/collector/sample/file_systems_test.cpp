// SPDX-License-Identifier: MIT
#include "collector/sample/file_systems.h"

#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flowgauge::sample {
namespace {

namespace fs = std::filesystem;
constexpr Nanos second = 1'000'000'000;

const std::string clientText =
    "snapshot_time             1420750934.57342 secs.usecs\n"
    "read_bytes                34 samples [bytes] 0 59 1003\n"
    "write_bytes               5 samples [bytes] 2 203338 203517\n"
    "open                      33 samples [regs]\n";

TEST(LustreStats, AreTheSumsOfTheirLines)
{
    const FileSystemNumbers numbers = parseLustreClient(clientText);
    EXPECT_EQ(numbers.asked.value, 1003U);
    EXPECT_EQ(numbers.askedWrites.value, 203'517U);
    EXPECT_TRUE(numbers.asked.known && numbers.askedWrites.known);
    EXPECT_FALSE(numbers.fetched.known) << "a client's calls say nothing of the wire";
}

TEST(LustreStats, OfNewerVersionsHaveSquaresAndTimesBeside)
{
    const FileSystemNumbers numbers = parseLustreClient(
        "snapshot_time 1700000000.1 secs.nsecs\n"
        "read_bytes  3 samples [bytes] 4096 4096 12288 50331648\n"
        "read        3 samples [usecs] 1 9 15 107\n");
    EXPECT_EQ(numbers.asked.value, 12'288U);
    EXPECT_TRUE(numbers.askedWrites.known);
    EXPECT_EQ(numbers.askedWrites.value, 0U) << "nothing written, no line";
}

TEST(LustreStats, ALineWithoutItsSumIsNotKnown)
{
    const auto asked = [](const std::string& line) { return parseLustreClient("snapshot_time 1 secs\n" + line).asked; };
    EXPECT_FALSE(asked("read_bytes 3 samples [bytes]\n").known);
    EXPECT_FALSE(asked("read_bytes 3 samples [bytes] 1 2\n").known);
    EXPECT_FALSE(asked("read_bytes 3 samples [regs] 1 2 3\n").known);
    EXPECT_FALSE(asked("read_bytes x samples [bytes] 1 2 3\n").known);
    EXPECT_TRUE(asked("read_bytes 0 samples [bytes]\n").known) << "no sample, and so no sum";
}

TEST(LustreStats, AnotherTextIsNotZero) { EXPECT_FALSE(parseLustreClient("no such file\n").asked.known); }

TEST(LustreStats, RecordedClientsGiveTheirHandCheckedSums)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    const auto textOf = [](const std::string& name) {
        std::ostringstream text;
        text << std::ifstream(fixtures() + "/other/" + name).rdbuf();
        return text.str();
    };
    EXPECT_EQ(parseLustreClient(textOf("lustre-llite-stats-hpe.txt")).asked.value, 4'194'304U);
    EXPECT_EQ(parseLustreClient(textOf("lustre-llite-stats-hpe.txt")).askedWrites.value, 93'813'797'294'080U);
    EXPECT_EQ(parseLustreClient(textOf("lustre-llite-stats-pcp.txt")).asked.value, 1003U);
    EXPECT_EQ(parseLustreClient(textOf("lustre-llite-stats-pcp.txt")).askedWrites.value, 203'517U);
}

TEST(CephSizes, AreTheSumsOfTheirRows)
{
    const FileSystemNumbers numbers = parseCephSizes(
        "item          total       avg_sz(bytes)   min_sz(bytes)   max_sz(bytes)  total_sz(bytes)\n"
        "----------------------------------------------------------------------------------------\n"
        "read          2           4096            4096            4096            8192\n"
        "write         5           4194304         4194304         4194304         20971520\n");
    EXPECT_EQ(numbers.fetched.value, 8192U);
    EXPECT_EQ(numbers.sent.value, 20'971'520U);
    EXPECT_FALSE(numbers.asked.known);
    EXPECT_FALSE(parseCephSizes("item\nread 2 4096 4096\n").fetched.known) << "cut";
}

/// A machine with parallel file systems, in a folder of the test's own.
class FileSystems : public testing::Test {
protected:
    FileSystems()
    {
        std::string pattern = testing::TempDir() + "filesystemsXXXXXX";
        m_root = ::mkdtemp(pattern.data());
        write("proc/net/dev", "");
    }
    ~FileSystems() override
    {
        HostSamplers::discard(m_samplers);
        fs::remove_all(m_root);
    }
    void write(const std::string& path, const std::string& text) const
    {
        fs::create_directories(fs::path(m_root + "/" + path).parent_path());
        std::ofstream(m_root + "/" + path) << text;
    }
    void mount(const std::string& device, const std::string& path, const std::string& type)
    {
        m_mounts += "50 1 0:" + std::to_string(m_mounts.size() + 40) + " / " + path + " rw,relatime - " + type + " " + device + " rw\n";
        write("proc/self/mountinfo", m_mounts);
    }
    void target(const std::string& name, std::uint64_t read, std::uint64_t written) const
    {
        write("sys/kernel/debug/lustre/osc/" + name + "/stats",
              "snapshot_time 1 secs.nsecs\nreq_waittime 9 samples [usec] 1 2 12 30\nread_bytes 1 samples [bytes] 1 1 " +
                  std::to_string(read) + "\nwrite_bytes 1 samples [bytes] 1 1 " + std::to_string(written) + "\n");
    }
    void sample(Nanos at)
    {
        if (m_samplers == nullptr) {
            m_samplers = HostSamplers::make(m_root, Notebook::outlet);
            m_samplers->open(1);
        }
        m_samplers->sample(at);
    }

    Notebook m_notebook;
    std::string m_root, m_mounts;
    HostSamplers* m_samplers = nullptr;
};

TEST_F(FileSystems, ALustreIsKnownByItsMountAndItsTargetsAreAddedUp)
{
    mount("10.0.0.1@o2ib:/scratch", "/mnt/my\\040scratch", "lustre");
    write("sys/kernel/debug/lustre/llite/scratch-ffff8803a1b2c3d4/stats", clientText);
    target("scratch-OST0000-osc-ffff8803a1b2c3d4", 700, 100'000);
    target("scratch-OST0001-osc-ffff8803a1b2c3d4", 303, 103'517);
    target("other-OST0000-osc-ffff880000000000", 5, 5);
    sample(second);
    const std::string place = "/mnt/my scratch";
    EXPECT_EQ(m_notebook.value(place, Counter::FsAskedBytes), 1003U);
    EXPECT_EQ(m_notebook.value(place, Counter::FsAskedWrites), 203'517U);
    EXPECT_EQ(m_notebook.value(place, Counter::FsFetchedBytes), 1003U);
    EXPECT_EQ(m_notebook.value(place, Counter::FsSentBytes), 203'517U);
    EXPECT_TRUE(m_notebook.found("file systems").starts_with("measured\t"));
}

TEST_F(FileSystems, ATargetThatCannotBeReadMakesTheSumUnknownAndNotSmaller)
{
    mount("10.0.0.1@o2ib:/scratch", "/scratch", "lustre");
    write("proc/fs/lustre/llite/scratch-ffff8803a1b2c3d4/stats", clientText);
    target("scratch-OST0000-osc-ffff8803a1b2c3d4", 700, 1);
    fs::create_directories(m_root + "/sys/kernel/debug/lustre/osc/scratch-OST0001-osc-ffff8803a1b2c3d4");
    sample(second);
    EXPECT_EQ(m_notebook.value("/scratch", Counter::FsAskedBytes), 1003U);
    EXPECT_EQ(m_notebook.value("/scratch", Counter::FsFetchedBytes), std::nullopt);
}

TEST_F(FileSystems, ClearedStatisticsBeginAtZeroAnew)
{
    mount("10.0.0.1@o2ib:/scratch", "/scratch", "lustre");
    write("proc/fs/lustre/llite/scratch-ffff8803a1b2c3d4/stats", clientText);
    sample(second);
    write("proc/fs/lustre/llite/scratch-ffff8803a1b2c3d4/stats", "snapshot_time 1420750999.1 secs.usecs\n");
    sample(3 * second);
    EXPECT_EQ(m_notebook.value("/scratch", Counter::FsAskedBytes), 0U);
}

TEST_F(FileSystems, TwoMountsOfOneLustreAreToldApartByTheirClients)
{
    mount("10.0.0.1@o2ib:/scratch", "/a", "lustre");
    mount("10.0.0.1@o2ib:/scratch/sub", "/b", "lustre");
    write("proc/fs/lustre/llite/scratch-ffff880300000001/stats", clientText);
    write("proc/fs/lustre/llite/scratch-ffff880300000002/stats", clientText);
    sample(second);
    EXPECT_EQ(m_notebook.value("scratch-ffff880300000001", Counter::FsAskedBytes), 1003U);
    EXPECT_EQ(m_notebook.value("scratch-ffff880300000002", Counter::FsAskedBytes), 1003U);
}

TEST_F(FileSystems, CephfsTellsItsWire)
{
    mount("10.0.0.2:6789:/", "/mnt/ceph", "ceph");
    write("sys/kernel/debug/ceph/0f3a.client4711/metrics/size", "item\n----\nread 2 4096 4096 4096 8192\nwrite 0 0 0 0 0\n");
    sample(second);
    EXPECT_EQ(m_notebook.value("/mnt/ceph", Counter::FsFetchedBytes), 8192U);
    EXPECT_EQ(m_notebook.value("/mnt/ceph", Counter::FsSentBytes), 0U);
}

TEST_F(FileSystems, WhatShowsNothingIsNamedWithWhatToRunInstead)
{
    mount("beegfs_nodev", "/mnt/beegfs", "beegfs");
    mount("scratch", "/gpfs", "gpfs");
    mount("10.0.0.1@tcp:/work", "/work", "lustre");
    mount("/dev/sda1", "/", "ext4");
    sample(second);
    EXPECT_TRUE(m_notebook.found("beegfs /mnt/beegfs").starts_with("absent\t"));
    EXPECT_NE(m_notebook.found("beegfs /mnt/beegfs").find("beegfs-ctl --clientstats --nodetype=storage"), std::string::npos);
    EXPECT_NE(m_notebook.found("gpfs /gpfs").find("mmpmon -p"), std::string::npos);
    EXPECT_NE(m_notebook.found("lustre /work").find("lctl get_param"), std::string::npos);
    EXPECT_EQ(m_notebook.found("file systems"), "absent\twhat is mounted shows no counter that can be read");
    EXPECT_EQ(m_notebook.found("ext4 /"), "");
}

TEST_F(FileSystems, AMachineWithoutAnySaysSo)
{
    mount("/dev/sda1", "/", "ext4");
    sample(second);
    EXPECT_EQ(m_notebook.found("file systems"), "absent\tno Lustre, CephFS, BeeGFS, GPFS or WEKA is mounted");
}

}  // namespace
}  // namespace flowgauge::sample
