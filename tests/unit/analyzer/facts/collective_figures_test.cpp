// SPDX-License-Identifier: MIT
#include "analyzer/facts/collective_figures.h"

#include "analyzer/facts/run.h"
#include "collector/record/event.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

class CollectiveFiguresTest : public SmallRun {
protected:
    store::StoredEvent call(Interval when, std::int64_t sequence, std::uint16_t flags = 0) const
    {
        return {when.begin, when.end, static_cast<std::uint64_t>(sequence) + 1, Kind::Allreduce, flags, {77, 1'000'000, sequence, -1}};
    }
    std::vector<CollectiveFigures> figures()
    {
        facts = factsOf(finished(), "run");
        return collectiveFigures(meetingsOf(facts.ranks, facts.clocks), facts.extent);
    }
    RunFacts facts;
};

TEST_F(CollectiveFiguresTest, WaitsAndTransfersAddUpToTheCalls)
{
    const store::Id first = process(100, 0, 2);
    const store::Id second = process(200, 1, 2);
    for (std::int64_t i = 0; i < 3; ++i) {
        const Nanos at = 1'000'000'000 * i;
        put(first, call({at, at + 110'000'000 + i}, i));
        put(second, call({at + 100'000'000, at + 110'000'000 + i}, i));
    }
    const auto all = figures();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].calls, 3);
    EXPECT_EQ(all[0].waited, 300'000'000);
    EXPECT_EQ(all[0].spent(), 3 * 120'000'000 + 2 * (0 + 1 + 2));
    EXPECT_EQ(all[0].wait, 50'000'000) << "of two ranks one waits";
    EXPECT_EQ(all[0].transfer, 10'000'001);
    EXPECT_NEAR(all[0].busbw.value(), 1e8, 20);
}

TEST_F(CollectiveFiguresTest, ACallThatNcclOnlyTookHasNoBandwidth)
{
    const store::Id ranks[] = {process(100, 0, 2), process(200, 1, 2)};
    for (const store::Id rank : ranks) {
        put(rank, call({1'000, 2'000}, 0, flagNccl));
        put(rank, {1'000, 2'000, 1, Kind::CommDetail, flagNccl, {store.name("RING"), 2, 16, 0}});
    }
    const auto all = figures();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_FALSE(all[0].busbw.known());
    EXPECT_EQ(all[0].busbw.reason(), "known is when NCCL took the call, not when the GPU ran it (with FLOWGAUGE_GPU=driver launches tell)");
}

class KernelSpans : public CollectiveFiguresTest {
protected:
    /// Two ranks; NCCL takes three calls at once, and the GPU runs them one after the other, 10 us each.
    void calls(const std::vector<std::string>& kernelNames)
    {
        const store::Id ranks[] = {process(100, 0, 2), process(200, 1, 2)};
        for (const store::Id rank : ranks) {
            for (std::int64_t i = 0; i < 3; ++i) {
                put(rank, call({100 * i, 100 * i + 50}, i, flagNccl));
                put(rank,
                    {100 * i, 100 * i + 50, static_cast<std::uint64_t>(i) + 1, Kind::CommDetail, flagNccl, {store.name("RING"), 2, 16, 0}});
            }
            for (std::size_t i = 0; i < kernelNames.size(); ++i) {
                const Nanos at = 1'000 + static_cast<Nanos>(i) * 20'000;
                put(rank, {at, at + 10'000, 500 + i, Kind::Kernel, 0, {store.name(kernelNames[i]), 0, 7, 1}});
            }
        }
    }
};

TEST_F(KernelSpans, ACallThatNcclOnlyTookLastsAsLongAsItsKernel)
{
    calls(std::vector<std::string>(3, "ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
    const auto all = figures();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(facts.ranks[0].collectives.at(2).when, (Interval{41'000, 51'000}));
    EXPECT_EQ(all[0].transfer, 10'000);
    EXPECT_DOUBLE_EQ(all[0].busbw.value(), 1e11);
}

TEST_F(KernelSpans, KernelsOfAnotherKindOrNumberAreNotTakenForTheirs)
{
    calls({"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclDevKernel_AllGather_RING_LL", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"});
    EXPECT_FALSE(figures().at(0).busbw.known());
}

TEST_F(KernelSpans, AFusedGroupStaysAsNcclTookIt)
{
    calls({"ncclDevKernel_AllReduce_Sum_f32_RING_LL"});
    EXPECT_FALSE(figures().at(0).busbw.known());
    EXPECT_EQ(facts.ranks[0].collectives.at(0).when, (Interval{0, 50}));
}

/// One thread hands a collective each of two communicators to NCCL; that of the second runs first, on a stream of its own.
class TwoCommunicators : public KernelSpans {
protected:
    store::Id queue(bool launchesAreRecorded, Nanos launchBehind)
    {
        const store::Id rank = process(100, 0, 2);
        for (std::int64_t comm = 0; comm < 2; ++comm) {
            const Nanos at = 100 * comm;
            const auto number = static_cast<std::uint64_t>(comm) + 1;
            put(rank, {at, at + 50, number, Kind::Allreduce, flagNccl, {77 + comm, 1'000'000, 0, -1}});
            put(rank, {at, at + 50, number, Kind::CommDetail, flagNccl, {store.name("RING"), 2, 16, 0}});
            if (launchesAreRecorded)
                put(rank,
                    {at + launchBehind, at + launchBehind + 5, 500 + number, Kind::GpuApi, 0, {store.name("cuLaunchKernelEx"), 0, 0, 0}});
            const Nanos ran = comm == 0 ? 41'000 : 1'000;
            const store::Id name = store.name("ncclDevKernel_AllReduce_Sum_f32_RING_LL");
            put(rank, {ran, ran + 10'000, 500 + number, Kind::Kernel, 0, {name, 0, 7 + comm, 1}}, 1'000 + comm);
        }
        return rank;
    }
    Interval spanOf(std::uint64_t comm)
    {
        for (const CollectiveCall& call : facts.ranks.at(0).collectives)
            if (call.comm == comm) return call.when;
        return {};
    }
};

TEST_F(TwoCommunicators, LaunchesWithinWrappedCallsSayWhichKernelIsWhose)
{
    queue(true, 20);
    figures();
    EXPECT_EQ(spanOf(77), (Interval{41'000, 51'000}));
    EXPECT_EQ(spanOf(78), (Interval{1'000, 11'000}));
}

TEST_F(TwoCommunicators, LaunchesBeforeCallsThatTheProfilerPluginToldSayItToo)
{
    queue(true, -20);
    figures();
    EXPECT_EQ(spanOf(77), (Interval{41'000, 51'000}));
    EXPECT_EQ(spanOf(78), (Interval{1'000, 11'000}));
}

TEST_F(TwoCommunicators, WithoutLaunchesNoKernelIsGivenToTheWrongOne)
{
    queue(false, 0);
    figures();
    EXPECT_EQ(spanOf(77), (Interval{0, 50}));
    EXPECT_EQ(spanOf(78), (Interval{100, 150}));
}

TEST_F(TwoCommunicators, ALaunchThatCarriesTwoCallsIsNobodys)
{
    const store::Id rank = queue(false, 0);
    put(rank, {140, 145, 501, Kind::GpuApi, 0, {store.name("cuLaunchKernelEx"), 0, 0, 0}});
    put(rank, {145, 155, 1, Kind::Allreduce, flagNccl, {79, 1'000'000, 0, -1}});
    put(rank, {145, 155, 1, Kind::CommDetail, flagNccl, {store.name("RING"), 2, 16, 0}});
    figures();
    for (const std::uint64_t comm : {78, 79}) EXPECT_LT(spanOf(comm).end, 1'000) << comm;
}

TEST_F(CollectiveFiguresTest, AlgorithmAndProtocolTellTheBytesOnTheWire)
{
    const store::Id ranks[] = {process(100, 0, 2), process(200, 1, 2)};
    for (const store::Id rank : ranks) {
        for (std::int64_t i = 0; i < 3; ++i) {
            put(rank, call({10'000 * i, 10'000 * i + 5'000}, i, flagNccl));
            put(rank, {10'000 * i,
                       10'000 * i + 5'000,
                       static_cast<std::uint64_t>(i) + 1,
                       Kind::CommDetail,
                       flagNccl,
                       {store.name(i < 2 ? "RING" : "NVLS"), i < 2 ? 1 : 2, 16, 0}});
        }
    }
    const auto all = figures();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].manner, (CommManner{CommAlgorithm::Ring, CommProtocol::Ll128, 16}));
    EXPECT_EQ(all[0].calls, 2);
    EXPECT_DOUBLE_EQ(all[0].wire.value().sentPerRank, 1e6 * 16 / 15) << "2(n-1)/n of two ranks, and a sixteenth of flags";
    EXPECT_EQ(all[1].manner.algorithm, CommAlgorithm::Nvls);
    EXPECT_DOUBLE_EQ(all[1].wire.value().sentPerRank, 1.5e6) << "1 + 1/n";
}

TEST_F(CollectiveFiguresTest, ProxiesBytesGoToTheirCall)
{
    const store::Id ranks[] = {process(100, 0, 2), process(200, 1, 2)};
    for (const store::Id rank : ranks) {
        put(rank, call({1'000, 2'000}, 0, flagNccl));
        put(rank, {1'000, 2'000, 1, Kind::CommDetail, flagNccl, {store.name("CE_MC"), -1, 0, 0}});
        for (const std::int64_t received : {0, 1}) put(rank, {1'000, 2'000, 1, Kind::CommWire, flagNccl, {700 + received, 0, received, 0}});
        put(rank, {1'000, 2'000, 1, Kind::CommWire, flagNccl, {300, 0, 0, 1}});
    }
    const auto all = figures();
    ASSERT_EQ(facts.ranks[0].collectives.size(), 1U);
    const CountedWire& wire = facts.ranks[0].wires.at(keyOf(facts.ranks[0].collectives[0]));
    EXPECT_DOUBLE_EQ(wire.sent, 1000);
    EXPECT_DOUBLE_EQ(wire.received, 701);
    EXPECT_EQ(all.at(0).wire.reason(), "the algorithm was not told");
}

TEST_F(CollectiveFiguresTest, AKernelThatCarriesACollectiveHasOne)
{
    const store::Id ranks[] = {process(100, 0, 2), process(200, 1, 2)};
    for (const store::Id rank : ranks) put(rank, call({1'000, 2'000}, 0, flagNccl));
    EXPECT_DOUBLE_EQ(figures().at(0).busbw.value(), 1e12);
}

}  // namespace
}  // namespace flowgauge::facts
