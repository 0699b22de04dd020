// SPDX-License-Identifier: MIT
#include "analyzer/facts/rank_bytes.h"

#include "analyzer/facts/run.h"
#include "analyzer/facts/run_part.h"
#include "collector/record/error.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

RankFacts fullRank()
{
    RankFacts rank;
    rank.rank = 3;
    rank.host = "node-1";
    rank.endedNormally = false;
    rank.extent = {5, 900};
    rank.compute = IntervalSet::of({{10, 20}, {30, 40}});
    rank.phases["input"] = IntervalSet::of({{5, 10}});
    rank.computeKnown = true;
    rank.communicationKnown = Measured<bool>::missing("no MPI call seen");
    rank.gpu.copies[1] = {2, 300, 40};
    rank.gpu.groups[7] = 4;
    rank.steps = {{1, {5, 50}, 32}};
    rank.collectives = {{7, 1, {20, 30}, 64, Kind::Allreduce, -1, true}};
    rank.wires[keyOf(rank.collectives[0])] = {10, 20};
    rank.closeness = {2048, 4};
    rank.rankIn[7] = 3;
    rank.reads.add(100, 4096, 4096);
    rank.readsElsewhere["start-up"] = {1, 2, 3};
    rank.mappedFiles["/data/a"] = 4096;
    rank.epochs.resize(2);
    rank.epochs[1].number = 2;
    rank.epochs[1].fetched = 77;
    rank.epochs[1].open = true;
    return rank;
}

TEST(RankBytes, BringEveryFieldBack)
{
    const std::vector<std::byte> bytes = bytesOf(fullRank());
    const RankFacts rank = rankOf(bytes);
    EXPECT_EQ(bytesOf(rank), bytes);
    EXPECT_EQ(rank.rank, 3);
    EXPECT_EQ(rank.host, "node-1");
    EXPECT_FALSE(rank.endedNormally);
    EXPECT_EQ(rank.compute, fullRank().compute);
    EXPECT_EQ(rank.phase(Phase::Input), fullRank().phase(Phase::Input));
    EXPECT_EQ(rank.computeKnown, Measured<bool>(true));
    EXPECT_EQ(rank.communicationKnown.reason(), "no MPI call seen");
    EXPECT_EQ(rank.gpu.copies.at(1).bytes, 300);
    EXPECT_EQ(rank.steps.front().when, (Interval{5, 50}));
    EXPECT_TRUE(rank.collectives.front().enqueued);
    EXPECT_EQ(rank.wires.at({7, 1, static_cast<std::uint64_t>(Kind::Allreduce)}).received, 20);
    EXPECT_EQ(rank.closeness.everyPlace, 4);
    EXPECT_EQ(rank.reads.bytes, 4096);
    EXPECT_EQ(rank.readsElsewhere.at("start-up"), (ReadCount{1, 2, 3}));
    EXPECT_EQ(rank.mappedFiles.at("/data/a"), 4096);
    EXPECT_EQ(rank.epochs[1].fetched, 77);
    EXPECT_TRUE(rank.epochs[1].open);
}

TEST(RankBytes, ThatAreCutOffAnywhereAreRefused)
{
    const std::vector<std::byte> bytes = bytesOf(fullRank());
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_THROW(static_cast<void>(rankOf(std::span(bytes).first(length))), Error) << length;
}

class Parts : public SmallRun {};

TEST_F(Parts, OfWhichOnlyOneHoldsMarksAgreeOnWhoTrainsAndWhatAnEpochIs)
{
    const store::Id first = process(100, 0);
    const store::Id second = process(200, 1);
    mark(first, Kind::EpochMark, {1000, 2000}, 1);
    read(first, "/data/a", {1100, 1200}, 100, 100);
    read(second, "/data/a", {1300, 1400}, 100, 200);
    store::RunStore& written = finished();
    const Agreement all{true, true, {1000, 2000}};
    std::vector<RunPart> parts;
    for (std::size_t i = 0; i < 3; ++i)  // more parts than ranks: one of them is empty
        parts.push_back(PartReader(written, layoutOf(written, {}, {i, 3})).finish(all, written));
    const RunFacts shared = joinParts(written, "run", std::move(parts));
    const RunFacts whole = factsOf(written, "run");
    ASSERT_EQ(shared.ranks.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(bytesOf(shared.ranks[i]), bytesOf(whole.ranks[i])) << i;
    EXPECT_TRUE(shared.ranks[1].waiting.empty()) << "the thread that is marked trains, not this one";
    ASSERT_EQ(shared.epochs.size(), 1U);
    EXPECT_EQ(shared.epochs[0].source, EpochSource::Marks);
}

}  // namespace
}  // namespace flowgauge::facts
