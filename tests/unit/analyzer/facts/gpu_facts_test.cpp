// SPDX-License-Identifier: MIT
#include "analyzer/facts/idle_cause.h"
#include "analyzer/facts/kernel_class.h"
#include "analyzer/facts/run.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

/// A run with one GPU: kernels, copies and calls by hand.
class GpuRun : public SmallRun {
protected:
    void kernel(store::Id process, const std::string& name, Interval when, std::int64_t stream = 7, std::uint64_t link = 0)
    {
        put(process, {when.begin, when.end, link, Kind::Kernel, 0, {store.name(name), 0, stream, 1}}, streamThread(0, stream));
    }
    void copy(store::Id process, Interval when, std::int64_t bytes, std::int64_t direction, std::int64_t stream = 7)
    {
        put(process, {when.begin, when.end, 0, Kind::GpuCopy, 0, {bytes, 0, stream, direction}}, streamThread(0, stream));
    }
    void call(store::Id process, const std::string& name, Interval when, std::uint64_t link = 0)
    {
        put(process, {when.begin, when.end, link, Kind::GpuApi, 0, {store.name(name), 0, 0, 0}});
    }
};

TEST_F(GpuRun, ComputeIsKernelsCommunicationIsNcclCopyIsCopiesWhateverTheHostMarked)
{
    const auto rank = process(100, 0);
    phase(rank, "forward", {0, 1000});
    kernel(rank, "gemm", {100, 200});
    kernel(rank, "gemm", {150, 300}, 8);
    kernel(rank, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)", {250, 400}, 20);
    copy(rank, {380, 450}, 64, 1);
    const RunFacts run = factsOf(finished(), "run1");
    const RankFacts& facts = run.ranks.at(0);
    EXPECT_EQ(facts.compute, IntervalSet::of({{100, 300}}));
    EXPECT_EQ(facts.communication, IntervalSet::of({{250, 400}}));
    EXPECT_EQ(facts.copy, IntervalSet::of({{380, 450}}));
    EXPECT_EQ(facts.gpu.extent, (Interval{100, 450}));
    const TimeParts parts = PartSets(facts).within(facts.gpu.extent);
    EXPECT_EQ(parts, (TimeParts{350, 200, 100, 50, 0, 0}));
    EXPECT_EQ(facts.gpu.kernels, 3);
    EXPECT_EQ(facts.gpu.communicationKernels, 1);
    EXPECT_EQ(facts.gpu.copies.at(1).bytes, 64);
    EXPECT_TRUE(facts.computeKnown.known());
    EXPECT_TRUE(std::none_of(run.ledger.begin(), run.ledger.end(), [](const LedgerRow& row) { return row.what == "GPU kernels"; }));
}

TEST_F(GpuRun, ACallOfNcclLastsOnTheHostOnlyUntilItIsQueuedAndCountsOnlyWithoutKernels)
{
    const auto first = process(100, 0, 2);
    const auto second = process(200, 1, 2);
    for (const auto rank : {first, second}) put(rank, {10, 20, 5, Kind::Allreduce, flagNccl, {77, 1000, 0, -1}});
    put(first, {500, 510, 0, Kind::Allreduce, flagMpi, {78, 8, 0, -1}});
    kernel(first, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", {100, 200});
    kernel(second, "gemm", {100, 200});
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.ranks.at(0).communication, IntervalSet::of({{100, 200}, {500, 510}}));
    EXPECT_EQ(run.ranks.at(1).communication, IntervalSet::of({{10, 20}}));
    EXPECT_EQ(run.ranks.at(0).collectives.size(), 2U);
}

TEST_F(GpuRun, AKernelThatACollectiveNamesIsCommunicationWhateverItIsCalled)
{
    const auto rank = process(100, 0, 2);
    put(rank, {100, 200, 9, Kind::Allreduce, flagNccl, {77, 1000, 0, -1}});
    kernel(rank, "two_shot_all_reduce_kernel", {100, 200}, 7, 9);
    kernel(rank, "gemm", {300, 400}, 7, 10);
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.ranks.at(0).communication, IntervalSet::of({{100, 200}}));
    EXPECT_EQ(run.ranks.at(0).compute, IntervalSet::of({{300, 400}}));
}

TEST_F(GpuRun, ARankWithoutAGpuKeepsItsMarkedPhases)
{
    const auto rank = process(100, 0);
    phase(rank, "forward", {100, 200});
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.ranks.at(0).compute, IntervalSet::of({{100, 200}}));
    EXPECT_FALSE(run.ranks.at(0).gpu.used);
    EXPECT_TRUE(std::any_of(run.ledger.begin(), run.ledger.end(), [](const LedgerRow& row) { return row.what == "GPU kernels"; }));
}

TEST_F(GpuRun, AGapIsTheHostsWhereWhatEndsItWasLaunchedInIt)
{
    const auto rank = process(100, 0);
    kernel(rank, "a", {100, 200}, 7, 1);
    kernel(rank, "b", {300, 400}, 7, 2);  // launched at 250: late
    kernel(rank, "c", {500, 600}, 8, 3);  // launched at 350: it waited for something else than the host
    kernel(rank, "d", {800, 900}, 7, 4);  // launched at 700, after the host had waited for c
    call(rank, "cudaLaunchKernel", {50, 60}, 1);
    call(rank, "cudaLaunchKernel", {250, 260}, 2);
    call(rank, "cudaLaunchKernel", {350, 360}, 3);
    call(rank, "cudaStreamSynchronize", {370, 605});
    call(rank, "cudaLaunchKernel", {700, 710}, 4);
    const RunFacts run = factsOf(finished(), "run1");
    const GpuFacts& gpu = run.ranks.at(0).gpu;
    EXPECT_EQ(gpu.lateLaunch, IntervalSet::of({{200, 300}}));
    EXPECT_EQ(gpu.afterSync, IntervalSet::of({{600, 800}}));
    EXPECT_TRUE(gpu.launchesKnown.known());
}

TEST_F(GpuRun, WithoutCallsNobodyIsToBlameForAGap)
{
    const auto rank = process(100, 0);
    kernel(rank, "a", {100, 200}, 7, 1);
    kernel(rank, "b", {300, 400}, 7, 2);
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_TRUE(run.ranks.at(0).gpu.lateLaunch.empty());
    EXPECT_EQ(run.ranks.at(0).gpu.launchesKnown.reason(), "no calls of CUDA recorded");
}

TEST_F(GpuRun, AnUnknownKernelThatSpeaksOfNcclIsTold)
{
    const auto rank = process(100, 0);
    kernel(rank, "myNcclLikeKernel", {100, 200});
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_TRUE(std::any_of(run.ledger.begin(), run.ledger.end(),
                            [](const LedgerRow& row) { return row.what == "kernel classes" && row.reason.ends_with("myNcclLikeKernel"); }));
}

TEST(KernelClass, NamesOfAllErasAreCommunication)
{
    for (const std::string_view name :
         {"ncclAllReduceRingLLKernel_sum_f32(ncclColl)", "_Z33ncclAllReduceRingLLKernel_sum_f3215ncclDevComm", "ncclSendRecvKernel_copy_i8",
          "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
          "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
          "_Z39ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE", "ncclDevKernel_Generic",
          "ncclSymDevKernel_AllReduce_RSxLD_AGxST_sum_f32", "ncclSymkDevKernel_AllGather_STMC", "mscclKernel_Sum_float_Simple",
          "void ncclKernel<1>()", "NCCLDevKernel_X", "hcclAllReduceKernel"})
        EXPECT_EQ(classOf(name), KernelClass::Communication) << name;
    for (const std::string_view name : {"gemm", "void at::native::vectorized_elementwise_kernel<4>", "cunn_SoftMaxForward", ""})
        EXPECT_EQ(classOf(name), KernelClass::Compute) << name;
}

TEST(WaitsForGpu, AreSynchronisationsAndCopiesThatReturnWhenDone)
{
    for (const std::string_view call :
         {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaMemcpy", "hipMemcpyWithStream", "cuMemcpyDtoH_v2"})
        EXPECT_TRUE(waitsForGpu(call)) << call;
    for (const std::string_view call :
         {"cudaMemcpyAsync", "cudaLaunchKernel", "cudaStreamWaitEvent", "cudaMemcpy2DAsync", "cudaMemcpyBatchAsync"})
        EXPECT_FALSE(waitsForGpu(call)) << call;
}

}  // namespace
}  // namespace flowgauge::facts
