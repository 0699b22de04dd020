// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/gpudirect_log.h"

#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::diagnoses {
namespace {

/// Ten steps of 100 ms, of which the last 40 are an allreduce that nothing hides.
facts::RunFacts exposed(facts::GpuDirect gpuDirect)
{
    facts::RankFacts rank = rankOf(0);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.compute.append({t, t + 60 * ms});
        allreduce(rank, static_cast<std::uint64_t>(step), {t + 60 * ms, t + 100 * ms});
    }
    facts::RunFacts run = runOf({rank});
    run.gpuDirect = std::move(gpuDirect);
    return run;
}

facts::GpuDirect found(facts::GpuDirectUse use, std::int64_t direct, std::int64_t staged)
{
    return {use, {{"IB", true, direct, staged}}, true, {"a sentence of evidence"}};
}

TEST(GpuDirectOfNccl, ThroughTheHostMayCostAllThatIsExposed)
{
    const facts::RunFacts run = exposed(found(facts::GpuDirectUse::Staged, 0, 4));
    const auto finding = stagedByNccl(Subject(run));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "GPUDirect not in use");
    EXPECT_EQ(finding->amount, 10 * 40 * ms);
    EXPECT_DOUBLE_EQ(finding->gain.value, 0.2);  // between nothing and 40 %
    EXPECT_DOUBLE_EQ(finding->gain.error, 0.2);
}

TEST(GpuDirectOfNccl, MixedCostsTheShareOfItsStagedConnections)
{
    const facts::RunFacts run = exposed(found(facts::GpuDirectUse::Mixed, 3, 1));
    const auto finding = stagedByNccl(Subject(run));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "GPUDirect partly in use");
    EXPECT_DOUBLE_EQ(finding->gain.value, 0.05);
}

TEST(GpuDirectOfNccl, UsedOrUnknownIsNoFinding)
{
    const facts::RunFacts used = exposed(found(facts::GpuDirectUse::Used, 4, 0)), unknown = exposed({});
    EXPECT_FALSE(stagedByNccl(Subject(used)));
    EXPECT_FALSE(stagedByNccl(Subject(unknown)));
}

TEST(GpuDirectOfNccl, TheReportSaysVerdictAndEvidenceWhereNcclSpoke)
{
    EXPECT_EQ(gpuDirectSentences({}), std::vector<findings::Sentence>{});
    const auto said = gpuDirectSentences(found(facts::GpuDirectUse::Used, 4, 0));
    EXPECT_EQ(said, (std::vector<findings::Sentence>{findings::Sentence("GPUDirect RDMA: ", "used", "."),
                                                     findings::Sentence("a sentence of evidence", ".")}));
}

}  // namespace
}  // namespace flowgauge::diagnoses
