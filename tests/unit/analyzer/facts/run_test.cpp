// SPDX-License-Identifier: MIT
#include "analyzer/facts/run.h"
#include "analyzer/facts/communication_facts.h"
#include "analyzer/facts/read_facts.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

using Facts = SmallRun;

TEST_F(Facts, MarksBecomeStepsPhasesAndEpochs)
{
    const auto rank = process(100, 0);
    mark(rank, Kind::EpochMark, {100, 500}, 1, 32);
    mark(rank, Kind::StepMark, {100, 200}, 1, 16);
    mark(rank, Kind::StepMark, {200, 300}, 2, 16);
    phase(rank, "forward", {120, 150});
    phase(rank, "backward", {140, 180});
    phase(rank, "input", {100, 120});
    phase(rank, "communication", {180, 190});
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.ranks.size(), 1U);
    const RankFacts& facts = run.ranks.front();
    EXPECT_EQ(facts.compute, IntervalSet::of({{120, 180}}));
    EXPECT_EQ(facts.waiting, IntervalSet::of({{100, 120}}));
    EXPECT_EQ(facts.communication, IntervalSet::of({{180, 190}}));
    EXPECT_TRUE(facts.computeKnown.known());
    EXPECT_TRUE(facts.communicationKnown.known());
    EXPECT_TRUE(facts.inputMarked);
    ASSERT_EQ(facts.steps.size(), 2U);
    EXPECT_EQ(facts.steps[1].when, (Interval{200, 300}));
    EXPECT_EQ(facts.steps[1].samples, 16U);
    ASSERT_EQ(run.epochs.size(), 1U);
    EXPECT_EQ(run.epochs[0].source, EpochSource::Marks);
    EXPECT_EQ(run.epochs[0].samples, 32U);
    EXPECT_TRUE(run.epochs[0].complete);
    EXPECT_EQ(run.extent, (Interval{100, 500}));
}

TEST_F(Facts, AnEpochWhoseEndWasNeverMarkedLastsToTheLastEvent)
{
    const auto rank = process(100, 0);
    mark(rank, Kind::EpochStart, {100, 100}, 1);
    mark(rank, Kind::EpochMark, {100, 200}, 1);
    mark(rank, Kind::EpochStart, {250, 250}, 2);
    mark(rank, Kind::StepMark, {250, 300}, 9);
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.epochs.size(), 2U);
    EXPECT_EQ(run.epochs[1].when, (Interval{250, 300}));
    EXPECT_FALSE(run.epochs[1].complete);
    EXPECT_TRUE(run.epochs[0].complete);
}

TEST_F(Facts, AnEpochThatTheLogOnlyBeginsLastsToTheLastReadWhereNothingElseWasRecorded)
{
    const auto rank = process(100, -1);
    read(rank, "/data/a", {20, 40}, 10);
    print(100, "Epoch: [0][ 0/4]\tTime  0.349 ( 0.349)\tData  0.250 ( 0.250)\tLoss 2.403");
    read(rank, "/data/b", {120, 150}, 20);
    print(200, "Epoch: [1][ 0/4]\tTime  0.206 ( 0.206)\tData  0.089 ( 0.089)\tLoss 1.426");
    read(rank, "/data/a", {210, 290}, 10);
    read(rank, "/data/b", {290, 300}, 20);
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.epochs.size(), 2U);
    EXPECT_EQ(run.epochs[0].when, (Interval{100, 200}));
    EXPECT_EQ(run.epochs[1].when, (Interval{200, 300}));
    EXPECT_EQ(run.epochs[1].asked, Measured<std::int64_t>(30));
    EXPECT_FALSE(run.epochs[1].complete);
}

TEST_F(Facts, WithoutMarksComputeIsNotMeasuredAndAReadOfTheMainThreadIsAStall)
{
    const auto rank = process(100, 0);
    read(rank, "/data/a", {100, 150}, 10);
    read(rank, "/data/b", {120, 200}, 20, 101);
    const RunFacts run = factsOf(finished(), "run1");
    const RankFacts& facts = run.ranks.front();
    EXPECT_FALSE(facts.computeKnown.known());
    EXPECT_EQ(facts.waiting, IntervalSet::of({{100, 150}}));
    EXPECT_EQ(facts.reading, IntervalSet::of({{100, 200}}));
    EXPECT_EQ(facts.reads.calls, 2);
    EXPECT_EQ(facts.reads.bytes, 30);
    EXPECT_TRUE(facts.communicationKnown.known()) << "a single rank has nobody to talk to";
}

store::StoredEvent allreduceOf(Interval when, std::int64_t bytes, std::int64_t sequence)
{
    return {when.begin, when.end, 0, Kind::Allreduce, 0, {77, bytes, sequence, -1}};
}

TEST_F(Facts, CollectivesMeetBySequenceAndCommunicationIsTheUnionOverThreads)
{
    const auto first = process(100, 0, 2);
    const auto second = process(200, 1, 2);
    put(first, allreduceOf({100, 200}, 1000, 0));
    put(first, allreduceOf({150, 250}, 500, 1), 101);
    put(second, allreduceOf({180, 200}, 1000, 0));
    put(first, {300, 320, 0, Kind::Send, 0, {77, 64, 1, 5}});
    put(first, {330, 340, 0, Kind::MpiWait, 0, {1, 1, 0, 0}});
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.ranks.size(), 2U);
    const RankFacts& facts = run.ranks[0];
    EXPECT_EQ(facts.communication, IntervalSet::of({{100, 250}, {300, 320}}));
    EXPECT_EQ(facts.collectives.size(), 2U);
    EXPECT_EQ(facts.commBytes, 1564);
    EXPECT_EQ(facts.extent, (Interval{100, 340}));
    const auto meetings = meetingsOf(run.ranks);
    ASSERT_EQ(meetings.size(), 1U) << "the second collective has one recorded rank only";
    EXPECT_EQ(meetings[0].lastRank, 1U);
    EXPECT_EQ(meetings[0].lastArrival, 180);
    EXPECT_EQ(run.worldSize, 2);
}

TEST_F(Facts, CopiesAndAsynchronousReadsAreReadsAndSubmittedWritesAreNot)
{
    const auto rank = process(100, 0);
    const auto file = store.name("/data/a");
    read(rank, "/data/a", {100, 110}, 10);
    put(rank, {120, 130, 0, Kind::FileCopy, 0, {file, 0, 20, 64}});
    put(rank, {140, 190, 0, Kind::FileSubmit, 0, {file, 0, 40, 0}});
    put(rank, {150, 160, 0, Kind::FileSubmit, 0, {file, 0, 80, 1}});
    put(rank, {170, 171, 0, Kind::FileRead, flagFailed, {file, 0, -5, 64}});
    const RunFacts run = factsOf(finished(), "run1");
    const RankFacts& facts = run.ranks.front();
    EXPECT_EQ(facts.reads.calls, 4);
    EXPECT_EQ(facts.reads.failed, 1);
    EXPECT_EQ(facts.reads.bytes, 70);
    EXPECT_EQ(facts.waiting, IntervalSet::of({{100, 110}, {120, 130}, {170, 171}})) << "an asynchronous read holds up nobody";
}

TEST_F(Facts, EpochsAndOtherPlacesAddUpToAllReads)
{
    const auto rank = process(100, 0);
    mark(rank, Kind::EpochMark, {100, 200}, 1);
    mark(rank, Kind::EpochMark, {300, 400}, 2);
    phase(rank, "evaluation", {210, 250});
    Nanos at = 10;
    for (int i = 0; i < 80; ++i, at += 6) read(rank, "/data/" + std::to_string(i % 5), {at, at + 3}, 7, 101 + i % 2);
    const RunFacts run = factsOf(finished(), "run1");
    const RankFacts& facts = run.ranks.front();
    ReadCount sum;
    for (const EpochPart& part : facts.epochs) sum += part.reads;
    for (const auto& [place, reads] : facts.readsElsewhere) sum += reads;
    EXPECT_EQ(sum, (ReadCount{facts.reads.calls, facts.reads.bytes, facts.reads.time}));
    EXPECT_EQ(facts.reads.calls, 80);
    EXPECT_EQ(facts.epochs[0].evaluation, facts.readsElsewhere.at("evaluation"));
}

TEST_F(Facts, EpochsFromFilesReadAgainLeaveOtherFilesApart)
{
    const auto rank = process(100, 0);
    Nanos at = 100;
    read(rank, "/home/settings", {50, 51}, 5);
    for (int pass = 0; pass < 3; ++pass)
        for (int file = 0; file < 4; ++file, at += 10) {
            put(rank, {at, at, 0, Kind::FileOpen, 0, {store.name("/data/" + std::to_string(file)), 0, 3, 0}});
            read(rank, "/data/" + std::to_string(file), {at + 1, at + 5}, 100);
        }
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.epochs.size(), 3U);
    EXPECT_EQ(run.epochs[0].source, EpochSource::FileCoverage);
    for (const EpochPart& part : run.ranks[0].epochs) EXPECT_EQ(part.reads, (ReadCount{4, 400, 16}));
    EXPECT_EQ(run.ranks[0].readsElsewhere, (std::map<std::string, ReadCount>{{"other files", {1, 5, 1}}}));
}

TEST_F(Facts, AWindowCutsEventsAndLeavesOthersOut)
{
    const auto rank = process(100, 0);
    phase(rank, "compute", {100, 200});
    phase(rank, "compute", {300, 400});
    const RunFacts run = factsOf(finished(), "run1", Interval{150, 250});
    EXPECT_EQ(run.ranks.front().compute, IntervalSet::of({{150, 200}}));
    EXPECT_EQ(run.extent, (Interval{150, 250}));  // the rank lives on: the rest of the window is idle time, not nothing
}

TEST_F(Facts, AProcessThatCrashedBeforeItSaidItsRankIsNamed)
{
    read(process(100, 0), "/data/a", {10, 20}, 1);
    for (const auto& [pid, ended] : {std::pair{300, "without goodbye"}, {400, "normally"}}) {
        store::ProcessRow row;
        row.host = host;
        row.pid = row.processStart = pid;
        row.spool = std::to_string(pid) + "-1";
        row.program = "train";
        row.ended = ended;
        read(store.process(row), "/data/a", {30, 40}, 1);
    }
    EXPECT_EQ(factsOf(finished(), "run1").crashedUnranked, std::vector<std::string>{"train (process 300 on node-a)"});
}

TEST_F(Facts, WhereOnlyAPortTellsOfEpochsItsRhythmDoes)
{
    constexpr Nanos tenth = 100'000'000;
    read(process(100, 0), "/data/start", {0, 10}, 1);
    std::int64_t bytes = 0;
    for (std::int64_t i = 0; i <= 660; ++i) {
        sample(0, Counter::NicRxBytes, i * tenth, bytes, "eth0");
        bytes += i % 220 < 200 ? 100'000'000 : 0;  // 20 s of every 22
    }
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.epochs.size(), 3U);
    EXPECT_EQ(run.epochs[1].when, (Interval{220 * tenth, 420 * tenth}));
    EXPECT_EQ(run.epochs[1].source, EpochSource::Rhythm);
    EXPECT_NEAR(run.epochs[1].confidence, 0.5 * 0.75, 1e-9);
}

TEST_F(Facts, ARunWithoutEventsHasNoRanks)
{
    (void)process(100, 0, 4);
    const RunFacts run = factsOf(finished(), "empty");
    EXPECT_TRUE(run.ranks.empty());
    EXPECT_TRUE(run.epochs.empty());
    EXPECT_EQ(run.extent, Interval{});
}

}  // namespace
}  // namespace flowgauge::facts
