// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include "collector/sample/ethtool_names.h"
#include "collector/sample/process.h"
#include "collector/sample/queue_pair_names.h"

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

TEST(SysrootMlx5Roce, TheLedgerSaysWhichInterfacesAreLeftAside)
{
    Notebook notebook;
    sampleOnce(sysroot("mlx5-roce"));
    EXPECT_EQ(notebook.found("nic ens1f0np0"), "measured\thardware");
    EXPECT_EQ(notebook.found("nic pf0vf1"), "aside\trepresentor of a virtual function, whose traffic it shows once more");
    EXPECT_EQ(notebook.found("nic bond0"), "aside\ta bond: shows what its slaves show");
}

TEST(SysrootMlx5Roce, AnInterfaceTellsWhatItsLinkCarriesWhereItsDriverKnows)
{
    Notebook notebook;
    sampleOnce(sysroot("mlx5-roce"));
    EXPECT_EQ(notebook.value("ens1f0np0", Counter::NicDataRate), 25000U);
    EXPECT_EQ(notebook.value("ens1f1np1", Counter::NicDataRate), std::nullopt) << "-1";
    Notebook laptop;
    sampleOnce(sysroot("laptop"));
    EXPECT_EQ(laptop.value("wlp2s0", Counter::NicDataRate), std::nullopt) << "no such file";
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
    EXPECT_EQ(placesOf(notebook),
              (std::vector<std::string>{"/data", "/home", "/scratch", "/scratch (0:44)", "192.0.2.10 v3 tcp", "192.0.2.20 v4.2 tcp"}));
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
    EXPECT_EQ(notebook.found("infiniband"),
              "absent\t/sys cannot be seen: whether RDMA carried bytes, and gradients among them, cannot be told");
}

TEST(SysrootNfsRdma, ConnectionsAreCountedOnceAServerAndAddedUp)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-rdma"));
    const std::string rdma = "192.0.2.10 v3 rdma", tcp = "192.0.2.10 v3 tcp";
    EXPECT_EQ(placesOf(notebook), (std::vector<std::string>{"/", "/data", "/data", "/local", "/other", "/tcp mount", rdma, tcp}))
        << "and what is read ahead";
    EXPECT_EQ(notebook.value(rdma, Counter::NfsConnections), 2U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsConnects), 3U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsSends), 74U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsReceives), 73U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsBadXids), 1U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsInFlightSum), 110U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsBacklogSum), 5U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsRdmaRequests), 1500U);
    EXPECT_EQ(notebook.value(rdma, Counter::NfsRdmaReplies), 16777716U);
    EXPECT_EQ(notebook.value(tcp, Counter::NfsConnects), 5U);
    EXPECT_EQ(notebook.value(tcp, Counter::NfsSends), 700U);
    EXPECT_EQ(notebook.value(tcp, Counter::NfsRdmaReplies), std::nullopt);
}

TEST(SysrootNfsRdma, EveryNumberOfAMount)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-rdma"));
    const std::map<Counter, std::uint64_t> expected{{Counter::NfsAge, 100},          {Counter::NfsAskedBytes, 33554432},
                                                    {Counter::NfsAskedWrites, 100},  {Counter::NfsDirectBytes, 200},
                                                    {Counter::NfsDirectWrites, 300}, {Counter::NfsFetchedBytes, 16777216},
                                                    {Counter::NfsWrittenBytes, 400}, {Counter::NfsReadPages, 4096},
                                                    {Counter::NfsInvalidations, 4},  {Counter::NfsClosedFiles, 9},
                                                    {Counter::NfsDelays, 6},         {Counter::NfsPnfsReads, 7},
                                                    {Counter::NfsCachePages, 4096},  {Counter::NfsReadOps, 64},
                                                    {Counter::NfsReadRetrans, 0},    {Counter::NfsReadTimeouts, 0},
                                                    {Counter::NfsReadQueueMs, 2},    {Counter::NfsReadReceived, 16785408},
                                                    {Counter::NfsReadRttMs, 5209},   {Counter::NfsReadExecuteMs, 5300},
                                                    {Counter::NfsReadErrors, 1},     {Counter::NfsWriteOps, 8},
                                                    {Counter::NfsWriteRttMs, 20},    {Counter::NfsWriteExecuteMs, 30},
                                                    {Counter::NfsOtherOps, 34},      {Counter::NfsOtherExecuteMs, 86},
                                                    {Counter::NfsOtherTimeouts, 2}};
    for (const CounterRow& row : counterRows)
        if (row.family == CounterFamily::Nfs) {
            EXPECT_EQ(notebook.value("/data", row.counter), expected.at(row.counter)) << row.sqlName;
        }
    EXPECT_EQ(notebook.value("/other", Counter::NfsCachePages), std::nullopt) << "no fsc line";
}

TEST(SysrootNfsRdma, WhatAMountIsStandsInTheLedger)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-rdma"));
    EXPECT_EQ(notebook.found("nfs mount /data"),
              "measured\tfrom nas:/a, vers 3, proto rdma, rsize 65536, wsize 65536, sec sys, nconnect 2, connections 2, read_ahead_kb 128, "
              "nocto, fsc");
    EXPECT_EQ(notebook.found("nfs"), "degraded\ta file system without a mount is in use (umount -l): its traffic is not counted");
}

TEST(SysrootNfsRdma, WhatAFileSystemReadsAhead)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-rdma"));
    EXPECT_EQ(notebook.value("/data", Counter::ReadAhead), 128U);
    EXPECT_EQ(notebook.value("/other", Counter::ReadAhead), std::nullopt) << "no such file";
    EXPECT_EQ(notebook.value("/", Counter::ReadAhead), 256U) << "of a partition, its disk's";
}

TEST(SysrootNfsRdma, WhichKernelReadsAheadStandsInTheLedger)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-rdma"));
    EXPECT_EQ(notebook.found("kernel"), "measured\t6.1.0-28-amd64");
}

TEST(SysrootNfsRdma, WhatAFileSystemIsAskedForAtOnce)
{
    Notebook notebook;
    sampleOnce(sysroot("nfs-rdma"));
    EXPECT_EQ(notebook.value("/data", Counter::LargestRequest), 64U) << "NFS's rsize";
    EXPECT_EQ(notebook.value("/", Counter::LargestRequest), 1280U);
    EXPECT_EQ(notebook.value("/local", Counter::LargestRequest), 4096U) << "a whole disk";
}

TEST(SysrootManyDrivers, OneRawFileIsWordsFlitsOrOfAnUnknownUnit)
{
    Notebook notebook;
    sampleOnce(sysroot("many-drivers"));
    EXPECT_EQ(*notebook.value("mlx5_0/1", Counter::IbRxBytes) * rowOf(Counter::IbRxBytes).scale, 4000U);
    EXPECT_EQ(*notebook.value("hfi1_0/1", Counter::IbRxFlits) * rowOf(Counter::IbRxFlits).scale, 8000U);
    EXPECT_EQ(notebook.value("acme0/1", Counter::IbRxRaw), 1000U);
    EXPECT_EQ(notebook.value("acme0/1", Counter::IbTxRaw), 2000U);
    EXPECT_EQ(rowOf(Counter::IbRxRaw).unit, CounterUnit::Unknown);
    EXPECT_EQ(notebook.value("acme1/1", Counter::IbRxRaw), 1000U) << "a file that is called bytes, of a driver that nobody knows";
    EXPECT_EQ(notebook.value("bnxt_re0/1", Counter::IbRxHwBytes), 11U);
    EXPECT_EQ(notebook.found("infiniband mlx5_0/1"), "measured\tdriver mlx5_core: 4-byte words");
    EXPECT_EQ(notebook.found("infiniband hfi1_0/1"), "measured\tdriver hfi1: 8-byte flits");
    EXPECT_EQ(notebook.found("infiniband acme0/1"),
              "degraded\tdriver acme: the unit of its data counters is not known, so they are in no sum of bytes");
    EXPECT_EQ(notebook.found("infiniband bnxt_re0/1"), "measured\tdriver bnxt_en: bytes");
}

TEST(SysrootManyDrivers, ErrorsCongestionStateAndRate)
{
    Notebook notebook;
    sampleOnce(sysroot("many-drivers"));
    const std::map<Counter, std::uint64_t> expected{
        {Counter::IbLinkRecoveries, 3},  {Counter::IbIntegrityErrors, 15},  {Counter::IbOverruns, 2},      {Counter::IbRemoteErrors, 7},
        {Counter::IbOutOfSequence, 101}, {Counter::IbSequenceNaks, 102},    {Counter::IbAckTimeouts, 103}, {Counter::IbRnrRetries, 104},
        {Counter::IbOutOfBuffer, 105},   {Counter::IbDuplicates, 106},      {Counter::IbEcnMarked, 107},   {Counter::IbCnpSent, 108},
        {Counter::IbCnpHandled, 109},    {Counter::IbAdaptiveRetrans, 110}, {Counter::IbState, 4},         {Counter::IbDataRate, 100000}};
    for (const auto& [counter, value] : expected) EXPECT_EQ(notebook.value("mlx5_0/1", counter), value) << rowOf(counter).sqlName;
    EXPECT_EQ(notebook.value("bnxt_re0/1", Counter::IbRetransmits), 13U);
    EXPECT_EQ(notebook.value("bnxt_re0/1", Counter::IbOutOfSequence), 14U);
    EXPECT_EQ(notebook.value("bnxt_re0/1", Counter::IbCnpHandled), 15U);
    EXPECT_EQ(notebook.value("bnxt_re0/1", Counter::IbDataRate), std::nullopt) << "2.5 Gb/s stands for unknown on Ethernet";
}

TEST(SysrootManyDrivers, TheCgroupOfTheJob)
{
    Notebook notebook;
    sampleOnce(sysroot("many-drivers"));
    EXPECT_EQ(notebook.value("cgroup", Counter::CgroupLimit), 68719476736U) << "of the cgroup above";
    EXPECT_EQ(notebook.value("cgroup", Counter::CgroupUsed), 4294967296U);
    EXPECT_EQ(notebook.value("cgroup", Counter::CgroupFileCache), 3221225472U);
    EXPECT_EQ(notebook.value("cgroup", Counter::CgroupRefaults), 32768U);
    EXPECT_EQ(notebook.value("host", Counter::ActiveFileKib), 300U);
    EXPECT_EQ(notebook.value("host", Counter::InactiveFileKib), 150U);
    EXPECT_EQ(notebook.found("cgroup memory"), "measured\twith a limit");
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
    const auto lines = [&notebook](const std::string& begin) {
        return std::count_if(notebook.ledger.begin(), notebook.ledger.end(),
                             [&](const std::string& line) { return line.starts_with(std::string(hostFactMark) + begin); });
    };
    for (const std::string kind : {"nic", "infiniband", "nfs", "disk", "memory", "cpu"}) {
        EXPECT_EQ(lines(kind + "\tmeasured\t") + lines(kind + "\tabsent\t"), 1) << kind;
        EXPECT_EQ(lines(kind + "\tunanswered\t"), lines(kind + "\tabsent\t")) << kind;
    }
}

TEST(SysrootLaptop, TheProcessItself)
{
    Notebook notebook;
    SysRoot root(sysroot("laptop"));
    Scratch scratch;
    SourceTable sources;
    ASSERT_TRUE(sources.create(4));
    CounterSink sink(Notebook::outlet, hostFactMark);
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
    for (const char* const machine :
         {"mlx5-ib", "mlx5-roce", "efa", "omnipath", "nfs-client", "nfs-rdma", "many-drivers", "laptop", "lustre"}) {
        Notebook notebook;
        sampleOnce(sysroot(machine));
        for (const Event& event : notebook.events) ++seen[static_cast<Counter>(event.arg[0])];
    }
    for (const EthtoolName& row : ethtoolNames) ++seen[row.counter];      // drivers are asked by a system call: ethtool_test.cpp
    for (const QueuePairName& row : queuePairNames) ++seen[row.counter];  // and the kernel by netlink: queue_pairs_test.cpp
    // Pages of files that a job has opened: data_set_test.cpp.
    for (const Counter counter : {Counter::DataSetFiles, Counter::DataSetLookedFiles, Counter::DataSetLookedBytes,
                                  Counter::DataSetResidentBytes, Counter::DataSetVariance})
        ++seen[counter];
    for (const CounterRow& row : counterRows) {
        if (row.family == CounterFamily::Process || row.family == CounterFamily::Sampler || row.family == CounterFamily::Gpu) continue;
        if (row.family == CounterFamily::Storage || row.family == CounterFamily::Fabric) continue;  // asked over the network
        EXPECT_GT(seen[row.counter], 0) << row.sqlName;
    }
}

}  // namespace
}  // namespace flowgauge::sample
