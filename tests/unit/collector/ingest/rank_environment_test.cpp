// SPDX-License-Identifier: MIT
#include "collector/ingest/rank_environment.h"

#include <gtest/gtest.h>

namespace flowgauge::ingest {
namespace {

TEST(RankEnvironment, MpirunInsideASlurmStepIsTheRankOfTheProgram)
{
    const RankFacts facts = rankOf({"SLURM_PROCID=0", "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_LOCAL_RANK=1", "OMPI_COMM_WORLD_SIZE=4"});
    EXPECT_EQ(facts.rank, 3);
    EXPECT_EQ(facts.localRank, 1);
    EXPECT_EQ(facts.worldSize, 4);
    EXPECT_EQ(facts.source, "env:OMPI_COMM_WORLD_RANK");
}

TEST(RankEnvironment, EveryRowOfTheTableIsRead)
{
    for (const RankVariables& row : rankVariables) {
        std::vector<std::string> environment{std::string(row.rank) + "=2"};
        if (!row.localRank.empty()) environment.push_back(std::string(row.localRank) + "=1");
        if (!row.worldSize.empty()) environment.push_back(std::string(row.worldSize) + "=8");
        const RankFacts facts = rankOf(environment);
        EXPECT_EQ(facts.rank, 2) << row.rank;
        EXPECT_EQ(facts.localRank.has_value(), !row.localRank.empty()) << row.rank;
        EXPECT_EQ(facts.worldSize.has_value(), !row.worldSize.empty()) << row.rank;
        EXPECT_EQ(facts.source, "env:" + std::string(row.rank));
    }
}

TEST(RankEnvironment, WhatIsNoNumberIsNoRank)
{
    EXPECT_FALSE(rankOf({"RANK=first", "PMI_RANK="}).rank.has_value());
    EXPECT_EQ(rankOf({}).source, "");
}

TEST(RankEnvironment, AVariableWhoseNameOnlyBeginsTheSameIsAnother) { EXPECT_FALSE(rankOf({"RANKING=1"}).rank.has_value()); }

}  // namespace
}  // namespace flowgauge::ingest
