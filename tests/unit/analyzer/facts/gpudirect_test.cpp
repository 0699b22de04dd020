// SPDX-License-Identifier: MIT
#include "analyzer/facts/gpudirect.h"

#include "collector/store/ingest_rows.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <initializer_list>

using namespace flowgauge::facts;

namespace {

GpuDirect verdictOf(std::initializer_list<std::string_view> lines, const std::vector<std::string>& capabilities = {})
{
    GpuDirectLog log;
    for (const std::string_view line : lines) log.take(line);
    return log.verdict(capabilities);
}

constexpr std::string_view sendsDirect = "n1:41:77 [0] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/IB/0/GDRDMA";
constexpr std::string_view receivesDirect = "n1:41:77 [0] NCCL INFO Channel 01/0 : 7[3] -> 0[0] [receive] via NET/IB/1(2)/GDRDMA/Shared";
constexpr std::string_view sendsStaged = "n1:41:77 [0] NCCL INFO Channel 02/0 : 3[3] -> 4[0] [send] via NET/IB/0";
constexpr std::string_view receivesStaged = "n1:41:77 [0] NCCL INFO Channel 03/0 : 7[3] -> 0[0] [receive] via NET/IB/0(5)/Shared";

}  // namespace

TEST(GpuDirect, IsUsedWhereEveryConnectionSaysSo)
{
    const GpuDirect found = verdictOf({sendsDirect, receivesDirect, "n1:41:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"});
    EXPECT_EQ(found.use, GpuDirectUse::Used);
    EXPECT_EQ(found.connections, (std::vector<NetConnections>{{"IB", true, 1, 0}, {"IB", false, 1, 0}}));
    EXPECT_EQ(found.evidence[0], "1 of 1 sending connection over NET/IB uses GPUDirect RDMA (NCCL's own lines)");
}

TEST(GpuDirect, GoesThroughTheHostWhereNoConnectionSaysIt)
{
    EXPECT_EQ(verdictOf({sendsStaged, receivesStaged}).use, GpuDirectUse::Staged);
    const GpuDirect sockets = verdictOf({"h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0"});
    EXPECT_EQ(sockets.use, GpuDirectUse::Staged);
    EXPECT_EQ(sockets.connections[0].network, "Socket");
}

TEST(GpuDirect, IsMixedByChannelAndByDirection)
{
    EXPECT_EQ(verdictOf({sendsDirect, sendsStaged, receivesDirect}).use, GpuDirectUse::Mixed);
    const GpuDirect byDirection = verdictOf({sendsStaged, receivesDirect, receivesDirect});
    EXPECT_EQ(byDirection.use, GpuDirectUse::Mixed);
    EXPECT_EQ(byDirection.connections, (std::vector<NetConnections>{{"IB", true, 0, 1}, {"IB", false, 2, 0}}));
}

TEST(GpuDirect, KnowsTheFormsOfAllReleases)
{
    EXPECT_EQ(verdictOf({"g:9:9 [1] NCCL INFO Ring 00 : 0 -> 1 [send] via NET/IB/0/GDRDMA"}).use, GpuDirectUse::Used);
    EXPECT_EQ(verdictOf({"g:9:9 [1] NCCL INFO Channel 00 : 1[5e000] -> 0[5d000] [receive] via NET/IB/0"}).use, GpuDirectUse::Staged);
    EXPECT_EQ(verdictOf({"g:9:9 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0(0)/GDRDMA(PCI)"}).use, GpuDirectUse::Used);
    EXPECT_EQ(verdictOf({"g:9:9 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/AWS Libfabric/0/GDRDMA"}).use,
              GpuDirectUse::Unknown)
        << "a name with a space cannot be told from a torn line";
    EXPECT_EQ(verdictOf({"g:9:9 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/Libfabric/3/GDRDMA"}).connections[0].network,
              "Libfabric");
}

TEST(GpuDirect, IsUnknownWithoutWordsOfNccl)
{
    const GpuDirect silent = verdictOf({"epoch 1 loss 0.3", "all is well"}, {"n1: nvidia_peermem is not loaded"});
    EXPECT_EQ(silent.use, GpuDirectUse::Unknown) << "a missing module is no proof";
    EXPECT_EQ(silent.evidence,
              (std::vector<std::string>{"the job printed no line of NCCL: run it with NCCL_DEBUG=INFO, without NCCL_DEBUG_FILE",
                                        "n1: nvidia_peermem is not loaded"}));
    EXPECT_EQ(verdictOf({"h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct"}).use, GpuDirectUse::Unknown);
}

TEST(GpuDirect, CapabilityAndDecisionAreEvidenceAndNoVerdict)
{
    const GpuDirect found =
        verdictOf({"n1:41:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
                   "n1:41:78 [1] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
                   "n1:41:77 [0] NCCL INFO GPU Direct RDMA Enabled for GPU 0 / HCA 1 (distance 4 <= 5), read 1 mode Default"});
    EXPECT_EQ(found.use, GpuDirectUse::Unknown);
    ASSERT_EQ(found.evidence.size(), 3U);
    EXPECT_EQ(found.evidence[1], "NCCL said: GPU Direct RDMA Disabled for HCA 0 'mlx5_0' (2 times)");
    EXPECT_EQ(found.evidence[2], "NCCL said: GPU Direct RDMA Enabled for GPU 0 / HCA 1 (distance 4 <= 5), read 1 mode Default");
}

TEST(GpuDirect, TornLinesCountForNothing)
{
    const GpuDirect torn =
        verdictOf({sendsDirect, "n1:41:77 [0] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/IB/0n2:9:9 [0] NCCL INFO",
                   "via NET/IB/0", " via NET/IB/0/GDR"});
    EXPECT_EQ(torn.use, GpuDirectUse::Used);
    EXPECT_EQ(torn.direct() + torn.staged(), 1);
    const GpuDirect cut = verdictOf({receivesDirect, sendsStaged, "/GDRDMA"});
    EXPECT_EQ(cut.use, GpuDirectUse::Used) << "the line without GDRDMA may be the first half of one with it";
    EXPECT_EQ(verdictOf({sendsStaged, "/GDRDMA"}).use, GpuDirectUse::Unknown);
}

TEST(GpuDirect, TwoMessagesInOneLineAreTwoConnections)
{
    std::string line(sendsDirect);
    line += " ";
    line += receivesStaged;
    const GpuDirect both = verdictOf({line});
    EXPECT_EQ(both.connections, (std::vector<NetConnections>{{"IB", true, 1, 0}, {"IB", false, 0, 1}}));
}

TEST(GpuDirect, IsReadFromARunsOutputAndLedger)
{
    const auto file = std::filesystem::temp_directory_path() / ("flowgauge_gpudirect_" + std::to_string(::getpid()) + ".db");
    std::filesystem::remove(file);
    {
        flowgauge::store::RunStore store = flowgauge::store::RunStore::create(file, 0);
        flowgauge::store::Transaction transaction(store.database());
        flowgauge::store::IngestRows rows(store.database());
        rows.putOutputLine(1, "stderr", "epoch 1");
        rows.putOutputLine(2, "stderr", std::string(sendsDirect));
        rows.putOutputLine(std::nullopt, "stdout", std::string(receivesStaged));
        store.putLedger({0, 0, "gpudirect", "measured", "peer memory client found: /sys/module/nvidia_peermem/version", 1});
        store.putLedger({0, 0, "gpu", "measured", "another matter", 1});
        transaction.commit();
        const GpuDirect found = gpuDirectOf(store);
        EXPECT_EQ(found.use, GpuDirectUse::Mixed);
        EXPECT_TRUE(found.spoken);
        EXPECT_EQ(found.evidence.back(), "peer memory client found: /sys/module/nvidia_peermem/version");
        EXPECT_EQ(found.evidence.size(), 3U);
    }
    std::filesystem::remove(file);
}
