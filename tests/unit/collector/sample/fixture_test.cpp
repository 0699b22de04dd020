// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flowgauge::sample {
namespace {

/// Public recordings (facts/storage.md §7, facts/network.md §7); skipped where they are not.
class FixtureTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    }
    static std::string ib(const std::string& machine) { return fixtures() + "/ib/" + machine; }
    static std::string textOf(const std::string& path)
    {
        std::ostringstream text;
        text << std::ifstream(fixtures() + "/" + path).rdbuf();
        return text.str();
    }
    /// All NFS mounts of a recording; the text must outlive them.
    static std::vector<NfsMount> mountsOf(const std::string& text)
    {
        std::vector<NfsMount> all;
        NfsMounts mounts(text);
        for (NfsMount mount; mounts.next(mount);) all.push_back(mount);
        return all;
    }
};

TEST_F(FixtureTest, InfinibandOfAnH100Node)
{
    const Notebook notebook;
    sampleOnce(ib("mlx5_h100_ndr"));
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxBytes), 230539874932483U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxBytes), 230442669431839U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxPackets), 317548853677U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxWait), 2489603687U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxErrors), 14U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxHwBytes), std::nullopt) << "mlx5 has no bytes in hw_counters";
}

TEST_F(FixtureTest, ASaturatedWaitCounterIsStoredAsItIs)
{
    const Notebook notebook;
    sampleOnce(ib("mlx5_edr_waitsat"));
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxWait), 4294967295U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxBytes), 238334949937759U);
}

TEST_F(FixtureTest, OmnipathCountsFlits)
{
    const Notebook notebook;
    sampleOnce(ib("hfi1_edr"));
    EXPECT_EQ(notebook.value("hfi1_0/1", Counter::IbRxFlits), 345091702026U);
    EXPECT_EQ(notebook.value("hfi1_0/1", Counter::IbTxFlits), 273558326543U);
    EXPECT_EQ(notebook.value("hfi1_0/1", Counter::IbRxBytes), std::nullopt);
}

TEST_F(FixtureTest, EfaCountsBytesInHwCounters)
{
    const Notebook notebook;
    sampleOnce(ib("efa_p4d"));
    EXPECT_EQ(notebook.value("rdmap144s27/1", Counter::IbRxHwBytes), 85466418782288U);
    EXPECT_EQ(notebook.value("rdmap144s27/1", Counter::IbTxHwBytes), 84417311044934U);
    EXPECT_EQ(notebook.value("rdmap144s27/1", Counter::IbTxPackets), 11002381069U);
}

TEST_F(FixtureTest, PortsWithoutPmaSayWhy)
{
    const Notebook notebook;
    sampleOnce(ib("i40iw_no_pma"));
    EXPECT_EQ(notebook.found("infiniband"), "absent\tthe ports show no counter that can be read (no PMA, or a container's view)");
    EXPECT_EQ(notebook.value("i40iw0/1", Counter::IbRxBytes), std::nullopt);
}

TEST_F(FixtureTest, AContainersViewSaysWhy)
{
    const Notebook dangling;
    sampleOnce(ib("dangling_class_link"));
    EXPECT_EQ(dangling.found("infiniband").rfind("absent\t", 0), 0U) << dangling.found("infiniband");
}

TEST_F(FixtureTest, RoceAndItsInterfaceAreTwoCounters)
{
    const Notebook notebook;
    sampleOnce(ib("mlx5_roce_2x"));
    EXPECT_EQ(notebook.value("rocep1s0f1/1", Counter::IbRxBytes), 81408901908U);
    EXPECT_EQ(notebook.value("enp1s0f1np1", Counter::NicRxBytes), 5647020U) << "the interface does not see the RDMA traffic";
    EXPECT_EQ(*notebook.value("rocep1s0f1/1", Counter::IbRxBytes) * rowOf(Counter::IbRxBytes).scale, 325635607632U)
        << "equals rx_vport_rdma_unicast_bytes of the same moment";
}

TEST_F(FixtureTest, DockerHostShowsNoVirtualInterface)
{
    const Notebook notebook;
    sampleOnce(ib("netdev_docker"));
    EXPECT_EQ(notebook.sources, std::vector<std::string>{"eth0"});
    EXPECT_EQ(notebook.value("eth0", Counter::NicRxBytes), 874354587U);
    EXPECT_EQ(notebook.value("eth0", Counter::NicTxBytes), 563352563U);
}

TEST_F(FixtureTest, EveryMountOfEveryRecordingIsFound)
{
    const std::vector<std::pair<const char*, std::size_t>> expected{
        {"01-el8-4.18.0-80-v3-v40-v41-v42-rpc1.0.txt", 4},
        {"02-el8-4.18.0-105-v3-v40-v41-v42-rpc1.1.txt", 4},
        {"03-el8.7-v3-rdma-nconnect8.txt", 10},
        {"04-isilon-v3-plus-v40-v41-mixed.txt", 4},
        {"06-fedora24-v42-krb5p.txt", 1},
        {"07-no-nfs-at-all.txt", 0},
        {"09-dupes-and-udp-xprt10.txt", 3},
        {"10-v3-statvers1.0-t0.txt", 2},
        {"11-v3-statvers1.0-t1.txt", 2},
        {"12-v40-queue-underflow-u64.txt", 1},
        {"15-v41-multiline-impl_id.txt", 1},
        {"16-v3-nconnect16-fsc-truncated.txt", 1},
        {"19-linux-2.6.16-v3-udp-7col-25events.txt", 1},
        {"20-lab-6.12-17mounts-weirdnames-ipv6-shared-sb.txt", 17},
        {"22-lab-6.12-server-down-25s.txt", 18},
        {"25-lab-6.12-no-nfs.txt", 0},
        {"27-lab-6.1-fsc-line.txt", 1},
        {"32-lab-6.12-final-overlay.txt", 20},
    };
    for (const auto& [file, count] : expected) {
        const std::string text = textOf(std::string("mountstats/") + file);
        EXPECT_EQ(mountsOf(text).size(), count) << file;
    }
}

TEST_F(FixtureTest, BytesOfTheIssuedReads)
{
    const std::string text = textOf("mountstats/09-dupes-and-udp-xprt10.txt");
    const std::vector<NfsMount> mounts = mountsOf(text);
    ASSERT_EQ(mounts.size(), 3U);
    EXPECT_EQ(mounts[2].of(BytesField::NormalRead).value, 1207640230U);
    EXPECT_EQ(mounts[2].of(BytesField::ServerRead).value, 1210214218U);
    EXPECT_EQ(mounts[2].of(BytesField::ReadPages).value, 295483U);
    EXPECT_EQ(mounts[2].of(OpColumn::Operations).value, 1298U);
    EXPECT_EQ(mounts[2].of(OpColumn::BytesReceived).value, 1210292152U);
    EXPECT_EQ(mounts[2].of(OpColumn::RttMs).value, 79386U);
    EXPECT_EQ(mounts[2].releases.value, 77U);
}

TEST_F(FixtureTest, ReadPlusOfANewKernelIsReading)
{
    const std::string text = textOf("mountstats/21-lab-6.12-after-reads-readplus.txt");
    for (const NfsMount& mount : mountsOf(text)) {
        if (mount.path != "/mnt/v42") continue;
        EXPECT_GT(mount.of(OpColumn::Operations).value, 0U) << "READ itself stays 0 there";
        EXPECT_GE(mount.of(OpColumn::BytesReceived).value, mount.of(BytesField::ServerRead).value);
        return;
    }
    FAIL() << "no /mnt/v42";
}

/// mountstats and mountinfo of one machine: 17 mounts share 8 superblocks.
TEST_F(FixtureTest, SharedSuperblocksOfTheLabAreCountedOnce)
{
    const std::string folder = testing::TempDir() + "lab612";
    std::filesystem::create_directories(folder + "/proc/self");
    std::ofstream(folder + "/proc/self/mountstats") << textOf("mountstats/20-lab-6.12-17mounts-weirdnames-ipv6-shared-sb.txt");
    std::ofstream(folder + "/proc/self/mountinfo") << textOf("other/mountinfo-lab-6.12-nfs.txt");
    const Notebook notebook;
    sampleOnce(folder);
    std::map<std::string, int> superblocks;
    const std::string infoText = textOf("other/mountinfo-lab-6.12-nfs.txt");
    MountInfoLines infos(infoText);
    for (MountInfo info; infos.next(info);)
        if (isNfsType(info.type)) ++superblocks[std::string(info.superblock)];
    const auto isPath = [](const std::string& source) { return source.front() == '/'; };
    EXPECT_EQ(std::count_if(notebook.sources.begin(), notebook.sources.end(), isPath), 8);
    EXPECT_EQ(superblocks.size(), 8U);
    EXPECT_EQ(superblocks["0:34"], 6);
    std::filesystem::remove_all(folder);
}

TEST_F(FixtureTest, DisksOfThisKindOfMachine)
{
    const std::string text = textOf("other/diskstats-procfs-14-18-20cols.txt");
    std::vector<std::string> whole;
    int lines = 0;
    DiskLines disks(text);
    for (DiskLine disk; disks.next(disk); ++lines)
        if (isWholeDiskName(disk.name)) whole.emplace_back(disk.name);
    EXPECT_EQ(lines, 52);
    EXPECT_EQ(whole, (std::vector<std::string>{"sda", "mmcblk0", "vda", "nvme0n1", "sdb", "sdc"}));
}

TEST_F(FixtureTest, MemoryOfTheLab)
{
    const std::string memory = textOf("other/meminfo-lab-6.12.txt"), vm = textOf("other/vmstat-lab-6.12.txt");
    const MemoryInfo info = parseMemoryInfo(memory);
    EXPECT_TRUE(info.total.known && info.available.known && info.cached.known && info.shmem.known && info.dirty.known);
    EXPECT_GE(info.cached.value, info.shmem.value);
    const VirtualMemory virtualMemory = parseVirtualMemory(vm);
    EXPECT_TRUE(virtualMemory.pageInKib.known && virtualMemory.majorFaults.known && virtualMemory.refaultedFilePages.known);
}

}  // namespace
}  // namespace flowgauge::sample
