// SPDX-License-Identifier: MIT
#include "analyzer/study/study.h"

#include "collector/record/error.h"
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

#include <numeric>

namespace flowgauge::study {
namespace {

Member member(std::int64_t nodes, double throughput, std::int64_t epochs, double minutes)
{
    Member result;
    result.name = std::to_string(nodes);
    result.nodes = nodes;
    result.ranks = nodes * 4;
    result.throughput = throughput;
    result.epochsToTarget = epochs;
    result.timeToTarget = static_cast<Nanos>(minutes * 60e9);
    result.wall = result.timeToTarget.value();
    const double whole = minutes * 60 * static_cast<double>(result.ranks);
    result.uses[static_cast<std::size_t>(Use::Compute)] = whole * 0.7;
    result.uses[static_cast<std::size_t>(Use::ExposedCommunication)] = whole * 0.2;
    result.uses[static_cast<std::size_t>(Use::BetweenEpochs)] = whole * 0.1;
    return result;
}

TEST(Study, SpeedUpIsMachineScalingTimesStatisticalEfficiency)
{
    const Study study = studyOf({member(8, 35'490, 81, 49.5), member(1, 5'450, 61, 242)});
    const Standing& large = study.runs[1];
    EXPECT_EQ(large.member.nodes, 8) << "smallest first, whatever the order";
    EXPECT_NEAR(large.scaling.value(), 6.51, 0.01);
    EXPECT_NEAR(large.efficiency.value(), 0.81, 0.005);
    EXPECT_NEAR(large.speedUp.value(), 4.89, 0.01);
    EXPECT_NEAR(large.statistical.value(), 0.753, 0.001);
    EXPECT_EQ(study.runs[0].scaling.value(), 1);
}

TEST(Study, CausesOfLossAddUpToWhatIsSpentBeyondTheSmallestRun)
{
    const Study study = studyOf({member(1, 5'450, 61, 242), member(8, 35'490, 81, 49.5)});
    const auto spent = [](const Standing& standing) {
        return std::accumulate(standing.member.uses.begin(), standing.member.uses.end(), 0.0);
    };
    EXPECT_NEAR(study.runs[1].lostInAll(), spent(study.runs[1]) - spent(study.runs[0]), 1e-6);
    EXPECT_EQ(study.runs[0].lostInAll(), 0);
    EXPECT_NEAR(study.runs[1].lostToEpochs, 0.9 * spent(study.runs[1]) * (1 - 61.0 / 81), 1e-6);
}

TEST(Study, GrowthIsPerDoublingAlsoWhereASizeIsLeftOut)
{
    std::vector<Member> members{member(1, 1, 1, 1), member(2, 1, 1, 1), member(8, 1, 1, 1)};
    const double disks[] = {100, 166, 166 * 1.66 * 1.66};
    for (std::size_t i = 0; i < members.size(); ++i) members[i].peakDisk = disks[i];
    const Growth growth = studyOf(members).disk;
    ASSERT_EQ(growth.shares.size(), 2U);
    EXPECT_NEAR(growth.shares[0], 0.66, 1e-9);
    EXPECT_NEAR(growth.shares[1], 0.66, 1e-9);
    EXPECT_NEAR(growth.share.value(), 0.66, 1e-9);
}

TEST(Study, WhatOneRunDoesNotTellIsNotMeasuredInAny)
{
    Member silent = member(2, 1, 1, 1);
    silent.timeToTarget = Measured<Nanos>::missing("no accuracy");
    const Study study = studyOf({member(1, 1, 1, 1), silent});
    EXPECT_EQ(study.runs[1].speedUp.reason(), "no accuracy");
    EXPECT_FALSE(study.network.share.known());
    EXPECT_THROW(static_cast<void>(studyOf({})), Error);
}

TEST(Study, RunsWithoutKnownRanksAreComparedByNodes)
{
    std::vector<Member> members{member(1, 10, 1, 1), member(4, 30, 1, 1)};
    for (Member& one : members) one.ranks = 0;
    const Study study = studyOf(members);
    EXPECT_FALSE(study.byGpus);
    EXPECT_EQ(study.runs[1].size, 4);
    EXPECT_NEAR(study.runs[1].efficiency.value(), 0.75, 1e-9);
}

facts::RunFacts twoEpochs()
{
    facts::RankFacts rank = diagnoses::rankOf(0);
    rank.steps = {{0, {0, 10 * diagnoses::ms}, 32}, {1, {20 * diagnoses::ms, 30 * diagnoses::ms}, 32}};
    rank.compute = facts::IntervalSet::of({{0, 8 * diagnoses::ms}, {20 * diagnoses::ms, 28 * diagnoses::ms}});
    facts::RunFacts run = diagnoses::runOf({rank});
    for (std::int64_t i = 0; i < 2; ++i) {
        facts::Epoch epoch;
        epoch.number = i + 1;
        epoch.when = {i * 20 * diagnoses::ms, (i * 20 + 10) * diagnoses::ms};
        epoch.samples = 32;
        epoch.asked = 1000;
        epoch.fetched = i == 0 ? 1000 : 40;
        run.epochs.push_back(epoch);
    }
    return run;
}

TEST(Member, UsesAddUpToWallTimesRanksAndEpochsGiveThroughputAndQuiet)
{
    const facts::RunFacts run = twoEpochs();
    const Member one = memberOf(diagnoses::Subject(run), {});
    EXPECT_NEAR(std::accumulate(one.uses.begin(), one.uses.end(), 0.0), 0.03, 1e-9);
    EXPECT_NEAR(one.uses[static_cast<std::size_t>(Use::BetweenEpochs)], 0.01, 1e-9);
    EXPECT_NEAR(one.uses[static_cast<std::size_t>(Use::Compute)], 0.016, 1e-9);
    EXPECT_NEAR(one.throughput.value(), 3200, 1e-6);
    EXPECT_EQ(one.quietFrom.value(), 2);
    EXPECT_NEAR(one.demand.value(), 100'000, 1e-6);
    EXPECT_FALSE(one.peakDisk.known());
}

}  // namespace
}  // namespace flowgauge::study
