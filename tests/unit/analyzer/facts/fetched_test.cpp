// SPDX-License-Identifier: MIT
#include "analyzer/facts/run.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

/// Two epochs, 1000–2000 and 3000–4000, of one rank that reads 100 bytes in each.
class Fetched : public SmallRun {
protected:
    Fetched() : rank(process(100, 0))
    {
        mark(rank, Kind::EpochMark, {1000, 2000}, 1);
        mark(rank, Kind::EpochMark, {3000, 4000}, 2);
        read(rank, "/nfs/data/a", {1100, 1200}, 100, 101);
        read(rank, "/nfs/data/a", {3100, 3200}, 100, 101);
    }
    store::Id rank;
};

TEST_F(Fetched, FromTheProcesssOwnCounterBetweenTheEndOfOneEpochAndTheEndOfTheNext)
{
    for (const auto& [at, value] : std::vector<std::pair<Nanos, std::int64_t>>{{0, 5}, {1000, 10}, {2000, 90}, {3000, 95}, {4000, 95}})
        sample(rank, Counter::ProcessReadBytes, at, value);
    const RunFacts run = factsOf(finished(), "run1");
    ASSERT_EQ(run.epochs.size(), 2U);
    EXPECT_EQ(run.epochs[0].asked, 100);
    EXPECT_EQ(run.epochs[0].fetched, 80);
    EXPECT_EQ(run.epochs[1].fetched, 5);
    EXPECT_EQ(run.epochs[1].fetchedSource, "process");
}

TEST_F(Fetched, WhatAnEvaluationFetchesIsNotOfTheNextEpoch)
{
    phase(rank, "evaluation", {2000, 2500});
    for (const auto& [at, value] :
         std::vector<std::pair<Nanos, std::int64_t>>{{1000, 0}, {2000, 80}, {2500, 480}, {3000, 490}, {4000, 500}})
        sample(rank, Counter::ProcessReadBytes, at, value);
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.epochs[0].fetched, 80);
    EXPECT_EQ(run.epochs[1].fetched, 20);
}

TEST_F(Fetched, OverTheWireWhereTheDataLiesOnNfs)
{
    for (const auto& [at, value] : std::vector<std::pair<Nanos, std::int64_t>>{{1000, 0}, {2000, 128}, {4000, 128}}) {
        sample(0, Counter::NfsFetchedBytes, at, value, "/nfs");
        sample(0, Counter::NfsFetchedBytes, at, 10 * value, "/nfs/dat");  // another mount, whose name begins alike
        sample(rank, Counter::ProcessReadBytes, at, 3 * value);
    }
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.epochs[0].fetched, 128);
    EXPECT_EQ(run.epochs[1].fetched, 0);
    EXPECT_EQ(run.epochs[0].fetchedSource, "nfs");
}

TEST_F(Fetched, OverTheWireWhereTheDataLiesOnAParallelFileSystem)
{
    for (const auto& [at, value] : std::vector<std::pair<Nanos, std::int64_t>>{{1000, 0}, {2000, 128}, {4000, 130}})
        sample(0, Counter::FsFetchedBytes, at, value, "/nfs");
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.epochs[0].fetched, 128);
    EXPECT_EQ(run.epochs[1].fetched, 2);
    EXPECT_EQ(run.epochs[0].fetchedSource, "file system");
}

TEST_F(Fetched, NotMeasuredWithoutSamples)
{
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.epochs[0].fetched.reason(), "no samples of the processes' storage reads");
}

TEST_F(Fetched, NotZeroWhereReadsWaitedAndTheFileSystemCountsNothing)
{
    read(rank, "/fuse/b", {3300, 900'000'000}, 10, 101);
    sample(rank, Counter::ProcessReadBytes, 1000, 0);
    sample(rank, Counter::ProcessReadBytes, 4000, 0);
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_EQ(run.epochs[0].fetched.reason(), "this file system does not count what it fetches");
}

TEST_F(Fetched, PageFaultsStandInWhereFilesAreMapped)
{
    put(rank, {900, 901, 0, Kind::FileMap, 0, {store.name("/data/big"), 0, 1 << 20, 1}});
    for (const auto& [at, minor, major] :
         std::vector<std::tuple<Nanos, std::int64_t, std::int64_t>>{{1000, 10, 0}, {2000, 20, 3}, {3000, 20, 3}, {4000, 27, 3}}) {
        sample(rank, Counter::ProcessMinorFaults, at, minor);
        sample(rank, Counter::ProcessMajorFaults, at, major);
    }
    const RunFacts run = factsOf(finished(), "run1");
    EXPECT_FALSE(run.epochs[0].asked.known());
    EXPECT_EQ(run.epochs[0].faults, 13);
    EXPECT_EQ(run.epochs[1].faults, 7);
    EXPECT_EQ(run.ranks[0].mappedFiles, (std::map<std::string, std::int64_t>{{"/data/big", 1 << 20}}));
}

}  // namespace
}  // namespace flowgauge::facts
