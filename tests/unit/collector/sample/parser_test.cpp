// SPDX-License-Identifier: MIT
#include "collector/sample/cgroup.h"
#include "collector/sample/cpu.h"
#include "collector/sample/disk.h"
#include "collector/sample/infiniband.h"
#include "collector/sample/memory.h"
#include "collector/sample/mountstats.h"
#include "collector/sample/nic.h"
#include "collector/sample/process.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace flowgauge::sample {
namespace {

TEST(NetDevice, TheNameEndsAtTheLastColon)
{
    NetDeviceLines lines(
        "Inter-|   Receive  |  Transmit\n face |bytes    packets errs\n"
        "ibr10:30:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
        "  eth0: 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26\n"
        "  eth1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 1");
    NetDevice device;
    ASSERT_TRUE(lines.next(device));
    EXPECT_EQ(device.name, "ibr10:30");
    EXPECT_EQ(device.rxBytes, 1U);
    ASSERT_TRUE(lines.next(device));
    EXPECT_EQ(device.name, "eth0");
    EXPECT_EQ(device.rxBytes, 11U);
    EXPECT_EQ(device.rxPackets, 12U);
    EXPECT_EQ(device.rxErrors, 13U);
    EXPECT_EQ(device.rxDropped, 14U);
    EXPECT_EQ(device.txBytes, 19U);
    EXPECT_EQ(device.txPackets, 20U);
    EXPECT_FALSE(lines.next(device)) << "the last line was cut";
}

TEST(DiskLines, AnyNumberOfColumnsFromElevenOn)
{
    DiskLines lines(
        "   8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
        "   8 1 sda1 4 3 2 1\n"
        " 259 0 nvme0n1 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37\n");
    DiskLine disk;
    ASSERT_TRUE(lines.next(disk));
    EXPECT_EQ(disk.name, "sda");
    EXPECT_EQ(disk.readOps, 1U);
    EXPECT_EQ(disk.readSectors, 3U);
    EXPECT_EQ(disk.readMs, 4U);
    EXPECT_EQ(disk.writeSectors, 7U);
    EXPECT_EQ(disk.busyMs, 10U);
    ASSERT_TRUE(lines.next(disk)) << "a line of a 2.6 kernel's partition is skipped";
    EXPECT_EQ(disk.name, "nvme0n1");
    EXPECT_EQ(disk.busyMs, 30U);
    EXPECT_FALSE(lines.next(disk));
}

TEST(DiskLines, NamesTellPartitionsFromDisks)
{
    for (const char* const whole : {"sda", "vdb", "nvme0n1", "mmcblk0", "xvda", "nbd0", "cciss/c0d0"})
        EXPECT_TRUE(isWholeDiskName(whole)) << whole;
    for (const char* const part :
         {"sda1", "vdb12", "nvme0n1p2", "mmcblk0p1", "xvda1", "dm-0", "md127", "loop0", "ram3", "zram0", "sr0", "fd0", ""})
        EXPECT_FALSE(isWholeDiskName(part)) << part;
}

TEST(MemoryInfo, TakesWhatIsThere)
{
    const MemoryInfo info = parseMemoryInfo("MemTotal:  100 kB\nCached: 50 kB\nSwapCached: 9 kB\nShmem: 8 kB\nDirty: 7 kB\n");
    EXPECT_EQ(info.total.value, 100U);
    EXPECT_FALSE(info.available.known) << "kernels before 3.14 have no MemAvailable";
    EXPECT_EQ(info.cached.value, 50U);
    EXPECT_EQ(info.shmem.value, 8U);
    EXPECT_EQ(info.dirty.value, 7U);
}

TEST(VirtualMemory, TheRefaultCounterHadAnotherName)
{
    const VirtualMemory now = parseVirtualMemory("workingset_refault_file 5\npgpgin 6\npgmajfault 7\n");
    EXPECT_EQ(now.refaultedFilePages.value, 5U);
    EXPECT_EQ(now.pageInKib.value, 6U);
    EXPECT_EQ(now.majorFaults.value, 7U);
    EXPECT_EQ(parseVirtualMemory("workingset_refault 9\n").refaultedFilePages.value, 9U);
    EXPECT_FALSE(parseVirtualMemory("pgpgin x\n").pageInKib.known);
}

TEST(CpuTimes, GuestsAreNotCountedTwice)
{
    const CpuTimes times = parseCpuTimes("cpu  1000 20 300 90000 400 5 6 7 50 1\ncpu0 1 1 1 1\n");
    ASSERT_TRUE(times.known);
    EXPECT_EQ(times.user, 1020U);
    EXPECT_EQ(times.system, 311U);
    EXPECT_EQ(times.idle, 90000U);
    EXPECT_EQ(times.ioWait, 400U);
    EXPECT_FALSE(parseCpuTimes("cpu0 1 2 3 4\n").known);
    EXPECT_FALSE(parseCpuTimes("cpu 1 2 3").known);
}

TEST(ProcessStat, TheNameMayHoldSpacesAndParentheses)
{
    std::string text =
        "42 (a ) b (c) S 1 42 42 0 -1 4194304 1500 11 7 22 250 40 1 2 20 0 8 0 123456 2500000000 65536 18446744073709551615 1\n";
    const ProcessStat stat = parseProcessStat(text);
    ASSERT_TRUE(stat.known);
    EXPECT_EQ(stat.minorFaults, 1500U);
    EXPECT_EQ(stat.majorFaults, 7U);
    EXPECT_EQ(stat.userUs, 2'500'000U);
    EXPECT_EQ(stat.systemUs, 400'000U);
    EXPECT_EQ(stat.residentPages, 65536U);
    text.pop_back();
    EXPECT_FALSE(parseProcessStat(text).known) << "a cut text";
}

TEST(ProcessIo, ReadBytesAreNotReadChars)
{
    const ProcessIo io = parseProcessIo("rchar: 10\nwchar: 20\nsyscr: 1\nread_bytes: 30\nwrite_bytes: 40\ncancelled_write_bytes: 5\n");
    EXPECT_EQ(io.readChars.value, 10U);
    EXPECT_EQ(io.readBytes.value, 30U);
    EXPECT_EQ(io.writeBytes.value, 40U);
}

TEST(DataRate, OfEveryKindOfString)
{
    const std::map<std::string, std::uint64_t> infiniband{{"2.5 Gb/sec (1X SDR)", 2000},
                                                          {"10 Gb/sec (4X SDR)", 8000},
                                                          {"20 Gb/sec (4X DDR)", 16000},
                                                          {"40 Gb/sec (4X QDR)", 32000},
                                                          {"40 Gb/sec (4X FDR10)", 40000},
                                                          {"56 Gb/sec (4X FDR)", 54560},
                                                          {"25 Gb/sec (1X EDR)", 25000},
                                                          {"100 Gb/sec (4X EDR)", 100000},
                                                          {"100 Gb/sec (2X HDR)", 100000},
                                                          {"200 Gb/sec (4X HDR)", 200000},
                                                          {"200 Gb/sec (2X NDR)", 200000},
                                                          {"400 Gb/sec (4X NDR)", 400000},
                                                          {"800 Gb/sec (4X XDR)", 800000},
                                                          {"300 Gb/sec (12X EDR)", 300000},
                                                          {"100 Gb/sec (4X EDR)\r", 100000},
                                                          {"1600 Gb/sec (4X GDR)", 1600000},
                                                          {"10 Gb/sec (4X)", 10000},
                                                          {"0 GB/sec", 0},
                                                          {"", 0},
                                                          {"fast", 0},
                                                          {"100 Mb/sec (4X)", 0},
                                                          {"2.5x Gb/sec (1X SDR)", 0},
                                                          {"-1 Gb/sec (1X EDR)", 0},
                                                          {"99999999999 Gb/sec (1X EDR)", 0}};
    for (const auto& [text, rate] : infiniband) EXPECT_EQ(parseDataRate(text, false), rate) << text;
    EXPECT_EQ(parseDataRate("2.5 Gb/sec (1X SDR)", true), 0U) << "what RoCE prints for a speed that it does not know";
    EXPECT_EQ(parseDataRate("40 Gb/sec (4X QDR)", true), 0U);
    EXPECT_EQ(parseDataRate("25 Gb/sec (1X EDR)", true), 25000U);
}

TEST(DataUnit, TheDriverDecidesAndTheNameWhereNoneIsSeen)
{
    EXPECT_EQ(dataUnit("hfi1", "mlx5_0"), DataUnit::Flits);
    EXPECT_EQ(dataUnit("acme", "mlx5_0"), DataUnit::Unknown);
    EXPECT_EQ(dataUnit("", "mlx5_bond_0"), DataUnit::Words);
    EXPECT_EQ(dataUnit("", "rocep1s0f1"), DataUnit::Words);
    EXPECT_EQ(dataUnit("", "rdmap144s27"), DataUnit::Octets);
    EXPECT_EQ(dataUnit("", "siw_eth0"), DataUnit::None);
    EXPECT_EQ(dataUnit("", "acme0"), DataUnit::Unknown);
    for (const RdmaDriver& row : rdmaDrivers) {
        if (!row.driver.empty()) {
            EXPECT_EQ(dataUnit(row.driver, "x"), row.unit) << row.driver;
        }
        EXPECT_EQ(dataUnit("", std::string(row.device) + "0"), row.unit) << row.device;
    }
}

TEST(Transport, EveryProtocolHasItsOwnColumns)
{
    struct Case {
        const char* line;
        bool known;
        std::uint64_t connects, sends, receives, badXids, inFlight, backlog;
    };
    const Case cases[] = {
        {" udp 1023 0 74 75 1 76 2", true, 0, 74, 75, 1, 76, 2},  // 2.6.16
        {" udp 0 1 4 5 6 7 8 9 10 11", true, 0, 4, 5, 6, 7, 8},
        {" tcp 832 0 3 0 11 6428 6429 1 12154 2", true, 3, 6428, 6429, 1, 12154, 2},
        {" tcp 832 0 3 0 11 6428 6429 1 12154 2 24 26 5726", true, 3, 6428, 6429, 1, 12154, 2},
        {" rdma 0 0 5 62 0 10 11 12 13 14 20 21 22 23 24 25 26 27 28 29", true, 5, 10, 11, 12, 13, 14},  // 4.2 to 4.14
        {" local 0 2 3 4 5 6 7 8 9 10 11 12", true, 2, 5, 6, 7, 8, 9},
        {" tcp 832 0 3", false, 0, 0, 0, 0, 0, 0},
        {" carrier-pigeon 1 2 3 4 5 6 7 8 9 10", false, 0, 0, 0, 0, 0, 0},
        {" tcp", false, 0, 0, 0, 0, 0, 0},
    };
    for (const Case& one : cases) {
        TransportSums sums;
        sums.add(one.line);
        EXPECT_EQ(sums.connections, 1U) << one.line;
        EXPECT_EQ(sums.known, one.known) << one.line;
        EXPECT_EQ(sums.connects, one.connects) << one.line;
        EXPECT_EQ(sums.sends, one.sends) << one.line;
        EXPECT_EQ(sums.receives, one.receives) << one.line;
        EXPECT_EQ(sums.badXids, one.badXids) << one.line;
        EXPECT_EQ(sums.inFlight, one.inFlight) << one.line;
        EXPECT_EQ(sums.backlog, one.backlog) << one.line;
    }
}

TEST(Cgroup, VersionOneWinsWhereItHasMemory)
{
    EXPECT_EQ(parseCgroup("0::/user.slice/x\n").path, "/user.slice/x");
    EXPECT_FALSE(parseCgroup("0::/user.slice/x\n").first);
    const CgroupPlace hybrid = parseCgroup("4:hugetlb,memory:/job:7\n3:cpu:/\n0::/other\n");
    EXPECT_TRUE(hybrid.first);
    EXPECT_EQ(hybrid.path, "/job:7");
    EXPECT_FALSE(parseCgroup("3:cpu:/\n").known);
    EXPECT_FALSE(parseCgroup("rubbish\n:\n").known);
    const CgroupStat first = parseCgroupStat("cache 1\ntotal_cache 7\ntotal_workingset_refault_file 9\n", true);
    EXPECT_EQ(first.fileBytes, 7U);
    EXPECT_EQ(first.refaultedPages, 9U);
    EXPECT_FALSE(parseCgroupStat("file x\n", false).fileKnown);
    EXPECT_EQ(parseCgroupStat("file 7\nshmem 3\n", false).fileBytes, 4U) << "what lies in /dev/shm is no page cache";
    EXPECT_EQ(parseCgroupStat("shmem 1\ntotal_cache 7\ntotal_shmem 2\n", true).fileBytes, 5U);
}

TEST(PortState, TheNumberCounts)
{
    EXPECT_EQ(parsePortState("4: ACTIVE"), 4);
    EXPECT_EQ(parsePortState("1: DOWN"), 1);
    EXPECT_EQ(parsePortState(""), -1);
    EXPECT_EQ(parsePortState("ACTIVE"), -1);
}

constexpr std::string_view oneMount =
    "device 192.0.2.1:/a\\040b mounted on /mnt/a\\040b with fstype nfs4 statvers=1.1\n"
    "\topts:\trw,vers=4.2\n\tage:\t5\n"
    "\tevents:\t0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 \n"
    "\tbytes:\t100 200 300 400 500 600 700 800 \n"
    "\tper-op statistics\n"
    "\t        READ: 10 12 1 1000 2000 3 40 50 0 \n"
    "\t   READ_PLUS: 5 5 2 500 600 1 20 30 \n"
    "\n";

TEST(NfsMounts, ReadAndReadPlusAreOneSum)
{
    NfsMounts mounts(oneMount);
    NfsMount mount;
    ASSERT_TRUE(mounts.next(mount));
    EXPECT_EQ(mount.path, "/mnt/a\\040b");
    EXPECT_EQ(mount.of(BytesField::NormalRead).value, 100U);
    EXPECT_EQ(mount.of(BytesField::DirectRead).value, 300U);
    EXPECT_EQ(mount.of(BytesField::ServerRead).value, 500U);
    EXPECT_EQ(mount.of(BytesField::ServerWritten).value, 600U);
    EXPECT_EQ(mount.of(BytesField::ReadPages).value, 700U);
    EXPECT_EQ(mount.invalidations.value, 2U);
    EXPECT_EQ(mount.releases.value, 17U);
    EXPECT_EQ(mount.of(OpColumn::Operations).value, 15U);
    EXPECT_EQ(mount.of(OpColumn::Transmissions).value, 17U);
    EXPECT_EQ(mount.of(OpColumn::Timeouts).value, 3U);
    EXPECT_EQ(mount.of(OpColumn::QueueMs).value, 4U);
    EXPECT_EQ(mount.of(OpColumn::RttMs).value, 60U);
    EXPECT_EQ(mount.of(OpColumn::ExecuteMs).value, 80U);
    EXPECT_FALSE(mounts.next(mount));
}

TEST(NfsMounts, ATextThatEndsInTheMiddleGivesWhatIsWhole)
{
    const std::string_view cut = upTo(oneMount, oneMount.find("600 700"));
    NfsMounts mounts(cut);
    NfsMount mount;
    ASSERT_TRUE(mounts.next(mount));
    EXPECT_EQ(mount.invalidations.value, 2U);
    EXPECT_FALSE(mount.of(BytesField::NormalRead).known) << "half a line is no line";
    EXPECT_FALSE(mount.of(OpColumn::Operations).known);
}

TEST(NfsMounts, WordsThatLookLikeNfsAreNot)
{
    NfsMounts mounts(
        "device nfs mounted on /nfs with fstype ext4\n"
        "device nfsd mounted on /proc/fs/nfsd with fstype nfsd\n"
        "device a b mounted on /x with fstype nfs statvers=1.1\n"
        "no device mounted on /y with fstype nfs\n"
        "device s:/x mounted on /z with fstype nfs\n");
    NfsMount mount;
    EXPECT_FALSE(mounts.next(mount));
}

TEST(NfsMounts, ANegativeSumIsUnknownAndStaysSo)
{
    NfsMounts mounts(
        "no device mounted on /y with fstype nfs statvers=1.0\n"
        "\tREAD: 1 1 0 1 1 18446743919241604546 5 6\n\tREAD_PLUS: 1 1 0 1 1 7 5 6\n");
    NfsMount mount;
    ASSERT_TRUE(mounts.next(mount));
    EXPECT_FALSE(mount.of(OpColumn::QueueMs).known);
    EXPECT_EQ(mount.of(OpColumn::RttMs).value, 10U);
}

TEST(MountInfo, OptionalFieldsMayBeMissingOrMany)
{
    MountInfoLines lines(
        "108 53 0:34 / /var/lib/nfs/rpc_pipefs rw,relatime - rpc_pipefs sunrpc rw\n"
        "40 27 0:41 / /data rw,relatime shared:8 master:2 - nfs4 192.0.2.20:/x rw\n"
        "rubbish\n");
    MountInfo info;
    ASSERT_TRUE(lines.next(info));
    EXPECT_EQ(info.type, "rpc_pipefs");
    ASSERT_TRUE(lines.next(info));
    EXPECT_EQ(info.superblock, "0:41");
    EXPECT_EQ(info.path, "/data");
    EXPECT_EQ(info.type, "nfs4");
    EXPECT_FALSE(lines.next(info));
}

TEST(MountInfo, OctalEscapesAreUndone)
{
    std::array<char, 32> into;
    const auto decoded = [&](std::string_view text) { return std::string(into.data(), decodeOctal(text, into.data(), into.size())); };
    EXPECT_EQ(decoded("/mnt/my\\040data"), "/mnt/my data");
    EXPECT_EQ(decoded("/tab\\011x\\134y\\"), "/tab\tx\\y\\");
    EXPECT_EQ(decoded("/h#sh\\04"), "/h#sh\\04");
    EXPECT_EQ(decoded(std::string(40, 'x')), std::string(32, 'x'));
}

}  // namespace
}  // namespace flowgauge::sample
