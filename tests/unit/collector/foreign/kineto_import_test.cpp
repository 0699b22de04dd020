// SPDX-License-Identifier: MIT
// Small traces with the shapes and traps of real ones.
#include "collector/record/event.h"
#include "tests/unit/collector/foreign/files.h"

namespace flowgauge::foreign {
namespace {

using Kineto = ForeignFiles;
using store::StoredEvent;

/// A trace of some events, with what stands beside them.
std::string trace(const std::string& events,
                  const std::string& head = R"("distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2})")
{
    return "{" + head + R"(, "traceEvents": [)" + events + "]}";
}

const std::string twoKernels =
    R"j({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 11, "ts": 1000, "dur": 5, "args": {"correlation": 1}},
       {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1010.5, "dur": 20.25,
        "args": {"device": 0, "context": 1, "stream": 7, "correlation": 1}},
       {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "pid": 0, "tid": 20,
        "ts": 1020, "dur": 30, "args": {"device": 0, "context": 1, "stream": 20, "correlation": 2, "Collective name": "allreduce",
        "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 2, "dtype": "Float", "Process Group Name": "0",
        "Process Group Ranks": "[0, 1]", "Seq": 5}})j";

TEST_F(Kineto, KernelsHavePlaceLinkAndNanoseconds)
{
    store::RunStore store = import({text("t.json", trace(twoKernels))});
    EXPECT_EQ(store.meta("t_zero"), 1'000'000);
    const auto kernels = eventsOf(store, Kind::Kernel);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0], (StoredEvent{10'500, 30'750, 1, Kind::Kernel, 0, {kernels[0].arg[0], 0, 7, 1}}));
    EXPECT_EQ(store.nameText(kernels[0].arg[0]), "gemm");
    const auto calls = eventsOf(store, Kind::GpuApi);
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].link, 1U) << "the launch and its kernel belong together";
    std::vector<std::int64_t> streams;
    for (const store::TrackRow& track : store.tracks())
        if (track.key.lane == Lane::Gpu) streams.push_back(track.key.thread);
    EXPECT_EQ(streams, (std::vector<std::int64_t>{streamThread(0, 7), streamThread(0, 20)}));
}

TEST_F(Kineto, ACollectiveIsTheOneOfAllRanksOfItsGroup)
{
    const auto second = trace(twoKernels, R"j("distributedInfo": {"rank": 1, "world_size": 2})j");
    store::RunStore store = import({text("a.json", trace(twoKernels)), text("b.json", second)});
    const auto calls = eventsOf(store, Kind::Allreduce);
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].arg, calls[1].arg);
    EXPECT_EQ(calls[0].arg[1], 4000);
    EXPECT_EQ(calls[0].arg[2], 5);
    EXPECT_EQ(calls[0].flags, flagNccl);
    EXPECT_EQ(calls[0].link, 2U);
    store::Statement groups = store.database().prepare("SELECT rank, size, name FROM communicator ORDER BY rank");
    ASSERT_TRUE(groups.step());
    EXPECT_EQ(groups.integer(0), 0);
    EXPECT_EQ(groups.integer(1), 2);
    ASSERT_TRUE(groups.step());
    EXPECT_EQ(groups.integer(0), 1);
    ASSERT_EQ(store.processes().size(), 2U);
    EXPECT_EQ(store.processes()[1].rank, 1);
    EXPECT_EQ(store.processes()[1].worldSize, 2);
    EXPECT_EQ(store.processes()[1].rankSource, "distributedInfo");
}

TEST_F(Kineto, CollectivesWithoutNumbersAreNotMatchedBetweenRanks)
{
    std::string events = twoKernels;
    events.replace(events.find(R"j(, "Seq": 5)j"), 10, "");
    store::RunStore store =
        import({text("a-rank0.json", trace(events, R"j("a": 1)j")), text("b-rank1.json", trace(events, R"j("a": 1)j"))});
    const auto calls = eventsOf(store, Kind::Allreduce);
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_NE(calls[0].arg[0], calls[1].arg[0]);
    EXPECT_EQ(store.processes()[1].rank, 1);
    EXPECT_EQ(store.processes()[1].rankSource, "file name");
}

TEST_F(Kineto, StepsAreCountedOnceAndTwinsOnGpuRowsAreNoWork)
{
    store::RunStore store = import({text(
        "t.json",
        trace(
            R"j({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#17", "pid": 10, "tid": 11, "ts": 100, "dur": 50, "args": {}},
           {"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#17", "pid": 0, "tid": 7, "ts": 110, "dur": 50, "args": {}},
           {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep #18", "pid": 10, "tid": 11, "ts": 150, "dur": 50, "args": {}},
           {"ph": "X", "cat": "user_annotation", "name": "## forward ##", "pid": 10, "tid": 11, "ts": 151, "dur": 10, "args": {}},
           {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 10, "tid": 11, "ts": 152, "dur": 1, "args": {}},
           {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 10, "tid": 11, "ts": 152},
           {"ph": "X", "cat": "overhead", "name": "Activity Buffer Request", "pid": -1, "tid": 0, "ts": 152, "dur": 9})j"))});
    const auto steps = eventsOf(store, Kind::StepMark);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].arg[0], 17);
    EXPECT_EQ(steps[1].arg[0], 18);
    EXPECT_EQ(eventsOf(store, Kind::Range).size(), 1U);
    EXPECT_EQ(eventsOf(store, Kind::Kernel).size(), 0U);
}

TEST_F(Kineto, HostFramesComeOnRequest)
{
    const auto file =
        text("t.json", trace(
                           R"j({"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 10, "tid": 11, "ts": 152, "dur": 1, "args": {}},
           {"ph": "X", "cat": "python_function", "name": "train.py(3): main", "pid": 10, "tid": 11, "ts": 150, "dur": 9, "args": {}})j"));
    store::RunStore without = import({file});
    EXPECT_EQ(eventsOf(without, Kind::Range).size(), 0U);
    ImportOptions options;
    options.hostFrames = true;
    store::RunStore with = import({file}, options);
    EXPECT_EQ(eventsOf(with, Kind::Range).size(), 2U);
}

TEST_F(Kineto, TheOldSpellingsAreUnderstood)
{
    store::RunStore store = import({text(
        "t.json",
        trace(
            R"j({"ph": "X", "cat": "Kernel", "name": "volta_sgemm", "pid": 0, "tid": "stream 7", "ts": 10, "dur": 5, "args": {"correlation": 3}},
           {"ph": "X", "cat": "Memcpy", "name": "Memcpy DtoH (Device -> Pageable)", "pid": 0, "tid": "stream 7", "ts": 20, "dur": 5, "args": {"bytes": 8}},
           {"ph": "X", "cat": "Memset", "name": "Memset (Device)", "pid": 0, "tid": "stream 7", "ts": 30, "dur": 5, "args": {"bytes": 4}},
           {"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": "10", "tid": "thread 11 (python)", "ts": 5, "dur": 1, "args": {"correlation": 3}})j"))});
    EXPECT_EQ(eventsOf(store, Kind::Kernel).at(0).arg[2], 7);
    EXPECT_EQ(eventsOf(store, Kind::GpuCopy).at(0).arg, (std::array<std::int64_t, 4>{8, 0, 7, 2}));
    EXPECT_EQ(eventsOf(store, Kind::GpuFill).at(0).arg[0], 4);
    EXPECT_EQ(eventsOf(store, Kind::GpuApi).size(), 1U);
}

TEST_F(Kineto, AnAmdCopyHasTheSizeThatItsCallTells)
{
    store::RunStore store = import({text(
        "t.json",
        trace(
            R"j({"ph": "X", "cat": "cuda_runtime", "name": "hipMemcpyWithStream", "pid": 10, "tid": 11, "ts": 5.25, "dur": 1, "args": {"correlation": 117, "size": "2560", "stream": "0x0"}},
           {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Host -> Device)", "pid": 2, "tid": 0, "ts": 6.5, "dur": 22.441, "args": {"device": 2, "stream": 0, "correlation": 117, "kind": "HtoD"}},
           {"ph": "X", "cat": "gpu_memcpy", "name": "CopyHostToDevice", "pid": 2, "tid": 0, "ts": 50, "dur": 1, "args": {"device": 2, "stream": 0, "correlation": 118, "kind": "HtoD"}})j",
            R"j("baseTimeNanoseconds": 1735632360000000000)j"))});
    const auto copies = eventsOf(store, Kind::GpuCopy);
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].arg, (std::array<std::int64_t, 4>{2560, 2, 0, 1}));
    EXPECT_EQ(copies[0].end - copies[0].begin, 22'441);
    EXPECT_EQ(copies[1].arg[3], 1);
    EXPECT_EQ(store.meta("t_zero"), 1735632360000000000 + 5250);
    const auto ledger = ledgerOf(store);
    EXPECT_NE(std::find(ledger.begin(), ledger.end(), "bytes of copies absent 1"), ledger.end());
}

TEST_F(Kineto, WhatTellsNoTimeIsCountedAndWhatLastsLessThanNothingLastsNothing)
{
    store::RunStore store =
        import({text("t.json", trace(
                                   R"j({"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 0, "args": {}},
           {"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "dur": 4, "args": {}},
           {"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 10, "dur": -3, "args": {}})j"))});
    const auto kernels = eventsOf(store, Kind::Kernel);
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels[0].begin, kernels[0].end);
    const auto ledger = ledgerOf(store);
    EXPECT_NE(std::find(ledger.begin(), ledger.end(), "trace events dropped 2"), ledger.end());
}

TEST_F(Kineto, WhatTheProfilerItselfLostIsInTheLedger)
{
    store::RunStore store =
        import({text("t.json", trace(twoKernels, R"j("INFO": ["Record counts: Out-of-range = 4181, Blocklisted runtime = 37458"])j"))});
    const auto ledger = ledgerOf(store);
    EXPECT_NE(std::find(ledger.begin(), ledger.end(), "GPU events dropped 4181"), ledger.end());
    EXPECT_NE(std::find(ledger.begin(), ledger.end(), "file reads, NFS traffic and network ports absent 0"), ledger.end());
}

TEST_F(Kineto, GlooOnTheHostIsCommunication)
{
    store::RunStore store = import(
        {text("t.json", trace(
                            R"j({"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 10, "tid": 11, "ts": 100, "dur": 50,
            "args": {"Input Dims": [[321271]], "Input type": ["float"]}})j"))});
    const auto calls = eventsOf(store, Kind::Allreduce);
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].arg[1], 1285084);
}

TEST_F(Kineto, ATraceWithoutARankIsTakenAndSaysSo)
{
    store::RunStore store = import({text("t.json", trace(twoKernels, R"j("distributedInfo": {"backend": "nccl"})j"))});
    EXPECT_EQ(store.processes().at(0).rank, std::nullopt);
    ASSERT_EQ(imported.at(0).warnings.size(), 1U);
    ImportOptions options;
    options.ranks = {6};
    store::RunStore told = import({folder / "t.json"}, options);
    EXPECT_EQ(told.processes().at(0).rank, 6);
}

TEST_F(Kineto, TwoFilesOfOneRankAreRefusedUnlessTheUserKnowsBetter)
{
    const auto first = text("a.json", trace(twoKernels));
    const auto second = text("b.json", trace(twoKernels));
    EXPECT_NE(refusal({first, second}).find("b.json: is rank 0, as an earlier file is; --ranks"), std::string::npos);
    ImportOptions options;
    options.ranks = {0, 1};
    EXPECT_EQ(import({first, second}, options).processes().size(), 2U);
}

TEST_F(Kineto, BadFilesLeaveNothing)
{
    EXPECT_NE(refusal({folder / "none.json"}).find("no such file"), std::string::npos);
    EXPECT_NE(refusal({text("empty.json", "")}).find("is empty"), std::string::npos);
    EXPECT_NE(refusal({text("text.json", "hello")}).find("neither a Chrome trace"), std::string::npos);
    EXPECT_NE(refusal({text("bad.json", R"j({"traceEvents": [{"ph" "X"}]})j")}).find("no JSON at byte"), std::string::npos);
}

TEST_F(Kineto, ATraceWithoutEventsIsAnEmptyRun)
{
    store::RunStore store = import({text("t.json", R"j({"traceEvents": []})j")});
    EXPECT_TRUE(store.tracks().empty());
}

}  // namespace
}  // namespace flowgauge::foreign
