// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include "collector/sample/process.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>

namespace flowgauge::sample {
namespace {

/// The places of a captured machine that were sampled, sorted.
std::vector<std::string> placesOf(const Notebook& notebook)
{
    std::vector<std::string> places = notebook.sources;
    std::sort(places.begin(), places.end());
    return places;
}

TEST(SysrootMlx5Ib, TheActivePortIsReadInWordsAndPlanesAreNot)
{
    Notebook notebook;
    sampleOnce(sysroot("mlx5-ib"));
    EXPECT_EQ(placesOf(notebook), (std::vector<std::string>{"cciss/c0d0", "eno1", "host", "host", "ib0", "mlx5_0/1", "nvme0n1"}));
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxBytes), 2500000000000U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxBytes), 1250000000000U);
    EXPECT_EQ(rowOf(Counter::IbRxBytes).scale, 4U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxPackets), 3000000000U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxPackets), 1500000000U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxWait), 4294967295U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbSymbolErrors), 65535U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbLinkDowned), 255U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxErrors), 14U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbTxDiscards), 3U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxHwBytes), std::nullopt);
    EXPECT_EQ(notebook.found("infiniband"), "measured\tports that are up; others are down");
}

TEST(SysrootMlx5Ib, InterfacesDisksMemoryAndProcessors)
{
    Notebook notebook;
    sampleOnce(sysroot("mlx5-ib"));
    EXPECT_EQ(notebook.value("ib0", Counter::NicRxBytes), 5000000U);
    EXPECT_EQ(notebook.value("ib0", Counter::NicRxErrors), 1U);
    EXPECT_EQ(notebook.value("ib0", Counter::NicRxDropped), 2U);
    EXPECT_EQ(notebook.value("eno1", Counter::NicTxBytes), 800U);
    EXPECT_EQ(notebook.value("eno1", Counter::NicTxPackets), 8U);
    EXPECT_EQ(notebook.value("nvme0n1", Counter::DiskReadBytes), 4643973U);
    EXPECT_EQ(notebook.value("nvme0n1", Counter::DiskWriteBytes), 39451633U);
    EXPECT_EQ(notebook.value("nvme0n1", Counter::DiskReadOps), 47114U);
    EXPECT_EQ(notebook.value("nvme0n1", Counter::DiskReadMs), 21650U);
    EXPECT_EQ(notebook.value("nvme0n1", Counter::DiskBusyMs), 222766U);
    EXPECT_EQ(notebook.value("host", Counter::MemoryTotal), 263856896U);
    EXPECT_EQ(notebook.value("host", Counter::MemoryAvailable), 201000000U);
    EXPECT_EQ(notebook.value("host", Counter::PageCache), 178000000U) << "Cached less Shmem";
    EXPECT_EQ(notebook.value("host", Counter::DirtyPages), 8192U);
    EXPECT_EQ(notebook.value("host", Counter::PageInKib), 123456789U);
    EXPECT_EQ(notebook.value("host", Counter::MajorFaults), 4321U);
    EXPECT_EQ(notebook.value("host", Counter::RefaultedPages), 32768U);
    EXPECT_EQ(notebook.value("host", Counter::CpuUser), 1020U);
    EXPECT_EQ(notebook.value("host", Counter::CpuSystem), 311U);
    EXPECT_EQ(notebook.value("host", Counter::CpuIdle), 90000U);
    EXPECT_EQ(notebook.value("host", Counter::CpuIoWait), 400U);
    EXPECT_EQ(notebook.found("nfs"), "absent\t/proc/self/mountstats cannot be opened");
    EXPECT_EQ(notebook.found("disk"), "measured\twhole block devices");
}

TEST(SysrootMlx5Roce, OneBadFileCostsThatCounterOnly)
{
    Notebook notebook;
    sampleOnce(sysroot("mlx5-roce"));
    EXPECT_EQ(notebook.value("mlx5_bond_0/1", Counter::IbRxBytes), 81408901908U);
    EXPECT_EQ(notebook.value("mlx5_bond_0/1", Counter::IbRxErrors), std::nullopt) << "N/A (no PMA)";
    EXPECT_EQ(notebook.value("mlx5_bond_0/1", Counter::IbSymbolErrors), std::nullopt) << "an empty file";
    EXPECT_EQ(notebook.value("mlx5_bond_0/1", Counter::IbLinkDowned), 2U) << "two newlines";
    EXPECT_EQ(placesOf(notebook), (std::vector<std::string>{"ens1f0np0", "ens1f1np1", "mlx5_bond_0/1"}))
        << "no bond beside its slaves, no representor, no port without counters";
    EXPECT_EQ(notebook.value("ens1f0np0", Counter::NicRxBytes), 5647020U);
}

TEST(SysrootEfa, BytesOfHwCountersStandInWhereThereIsNoPma)
{
    Notebook notebook;
    sampleOnce(sysroot("efa"));
    EXPECT_EQ(notebook.value("rdmap16s27/1", Counter::IbRxHwBytes), 85466418782288U);
    EXPECT_EQ(notebook.value("rdmap16s27/1", Counter::IbTxHwBytes), 84417311044934U);
    EXPECT_EQ(notebook.value("rdmap16s27/1", Counter::IbRxPackets), 1776383627U);
    EXPECT_EQ(notebook.value("rdmap16s27/1", Counter::IbTxPackets), 11002381069U);
    EXPECT_EQ(notebook.value("rdmap16s27/1", Counter::IbRxBytes), std::nullopt);
    EXPECT_EQ(notebook.value("irdma0/1", Counter::IbRxHwBytes), 1024U) << "IPv4 and IPv6 together";
    EXPECT_EQ(notebook.value("irdma0/1", Counter::IbTxHwBytes), 3072U);
    EXPECT_EQ(notebook.value("irdma0/1", Counter::IbRxPackets), 12U);
    EXPECT_EQ(notebook.value("irdma0/1", Counter::IbTxPackets), 36U);
    EXPECT_EQ(notebook.value("bnxt_re0/1", Counter::IbRxHwBytes), 11U);
    EXPECT_EQ(notebook.value("erdma_0/1", Counter::IbTxHwBytes), 222U);
    EXPECT_EQ(notebook.value("rxe0/1", Counter::IbTxPackets), 5U);
    EXPECT_EQ(notebook.value("rxe0/1", Counter::IbTxHwBytes), std::nullopt);
}

TEST(SysrootOmnipath, TheDriverTellsTheUnit)
{
    Notebook notebook;
    sampleOnce(sysroot("omnipath"));
    EXPECT_EQ(notebook.value("opa0/1", Counter::IbRxFlits), 345091702026U);
    EXPECT_EQ(notebook.value("opa0/1", Counter::IbTxFlits), 273558326543U);
    EXPECT_EQ(notebook.value("opa0/1", Counter::IbRxBytes), std::nullopt);
    EXPECT_EQ(rowOf(Counter::IbRxFlits).scale, 8U);
    EXPECT_EQ(notebook.value("mlx4_0/1", Counter::IbRxBytes), 9000000000U) << "counters_ext is the wider set";
    EXPECT_EQ(notebook.value("mlx4_0/1", Counter::IbTxPackets), 6000000000U);
}

TEST(SysrootNfsClient, EachSuperblockOnceUnderItsFirstPath)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-client"));
    EXPECT_EQ(placesOf(notebook), (std::vector<std::string>{"/data", "/home", "/scratch", "/scratch (0:44)"}));
    EXPECT_EQ(notebook.value("/data", Counter::NfsAskedBytes), 1000U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsDirectBytes), 300U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsFetchedBytes), 500000000U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsWrittenBytes), 6000U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadPages), 122071U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsInvalidations), 3U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsClosedFiles), 600U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadOps), 110U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadRetrans), 3U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadTimeouts), 3U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadQueueMs), std::nullopt) << "a sum below zero is unknown";
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadRttMs), 990U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsReadExecuteMs), 1100U);
    EXPECT_EQ(notebook.value("/home", Counter::NfsReadOps), 50U) << "eight columns";
    EXPECT_EQ(notebook.value("/home", Counter::NfsReadRetrans), 0U) << "never below zero";
    EXPECT_EQ(notebook.value("/scratch", Counter::NfsReadOps), 1U);
    EXPECT_EQ(notebook.value("/scratch (0:44)", Counter::NfsReadOps), 2U) << "mounted over the other";
    EXPECT_EQ(notebook.found("nfs"), "measured\tNFS mounts, each superblock once");
    EXPECT_EQ(notebook.found("infiniband"), "absent\tno /sys/class/infiniband");
}

TEST(SysrootLaptop, TheCommonCase)
{
    Notebook notebook;
    sampleOnce(sysroot("laptop"));
    EXPECT_EQ(placesOf(notebook), (std::vector<std::string>{"host", "host", "sda", "wlp2s0"}));
    EXPECT_EQ(notebook.value("wlp2s0", Counter::NicRxBytes), 123456789U);
    EXPECT_EQ(notebook.value("sda", Counter::DiskReadBytes), 1003346126U) << "known by its name: no /sys/block here";
    EXPECT_EQ(notebook.value("host", Counter::MemoryAvailable), std::nullopt);
    EXPECT_EQ(notebook.value("host", Counter::RefaultedPages), 99U);
    EXPECT_EQ(notebook.found("nfs"), "absent\tno NFS mount in /proc/self/mountstats");
    EXPECT_EQ(notebook.found("cpu"), "measured\t/proc/stat");
    EXPECT_EQ(notebook.ledger.size(), 6U) << "one line a kind of source";
}

TEST(SysrootLaptop, TheProcessItself)
{
    Notebook notebook;
    SysRoot root(sysroot("laptop"));
    Scratch scratch;
    SourceTable sources;
    ASSERT_TRUE(sources.create(4));
    CounterSink sink(Notebook::outlet);
    ProcessSampler process;
    EXPECT_TRUE(process.open({root, scratch, sources, sink}).present);
    process.sample({root, scratch, sources, sink});
    EXPECT_EQ(notebook.value("process", Counter::ProcessReadChars), 323934931U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessReadBytes), 16777216U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessWriteBytes), 323932160U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessMinorFaults), 1500U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessMajorFaults), 7U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessCpuUser), 2500000U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessCpuSystem), 400000U);
    EXPECT_EQ(notebook.value("process", Counter::ProcessResident), 65536U);
    process.close();
    scratch.release();
    sources.release();
}

TEST(EveryCounter, IsReadFromOneOfTheCapturedMachinesOrIsTheSamplersOwn)
{
    std::map<Counter, int> seen;
    for (const char* const machine : {"mlx5-ib", "mlx5-roce", "efa", "omnipath", "nfs-client", "laptop"}) {
        Notebook notebook;
        sampleOnce(sysroot(machine));
        for (const Event& event : notebook.events) ++seen[static_cast<Counter>(event.arg[0])];
    }
    for (const CounterRow& row : counterRows) {
        if (row.family == CounterFamily::Process || row.family == CounterFamily::Sampler) continue;
        EXPECT_GT(seen[row.counter], 0) << row.sqlName;
    }
}

}  // namespace
}  // namespace flowgauge::sample
