// SPDX-License-Identifier: MIT
#include "analyzer/study/compare.h"

#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::study {
namespace {

using diagnoses::ms;

/// 40 steps of a rank that computes so long, then communicates so long; the lengths swing by `swing`.
facts::RunFacts job(Nanos compute, Nanos communication, Nanos swing = 0)
{
    facts::RankFacts rank = diagnoses::rankOf(0);
    Nanos at = 0;
    std::vector<Interval> computing;
    for (int i = 0; i < 40; ++i) {
        const Nanos computed = at + compute + (i % 2 == 0 ? swing : -swing) + (i < 20 ? swing : -swing);
        computing.push_back({at, computed});
        diagnoses::allreduce(rank, static_cast<std::uint64_t>(i), {computed, computed + communication});
        rank.steps.push_back({i, {at, computed + communication}, 8});
        at = computed + communication;
    }
    rank.compute = facts::IntervalSet::of(computing);
    return diagnoses::runOf({rank});
}

struct Analysed {
    explicit Analysed(facts::RunFacts facts)
        : run(std::move(facts)), subject(run), summary(diagnoses::summaryOf(subject)), findings(diagnoses::diagnose(subject))
    {
    }
    facts::RunFacts run;
    diagnoses::Subject subject;
    findings::RunSummary summary;
    std::vector<findings::Finding> findings;
    [[nodiscard]] Side side() const { return {subject, summary, findings}; }
};

Comparison compared(facts::RunFacts before, facts::RunFacts after)
{
    const Analysed first(std::move(before));
    const Analysed second(std::move(after));
    return compare(first.side(), second.side());
}

const Change& changeOf(const Comparison& comparison, const std::string& what)
{
    return *std::find_if(comparison.changes.begin(), comparison.changes.end(), [&](const Change& change) { return change.what == what; });
}

TEST(Compare, TheStepTimeLeadsAndThePartThatGrewIsWorse)
{
    const Comparison comparison = compared(job(80 * ms, 20 * ms), job(80 * ms, 40 * ms));
    EXPECT_EQ(comparison.changes.front().what, "step time");
    EXPECT_NEAR(comparison.slower(), 0.2, 1e-9);
    EXPECT_EQ(changeOf(comparison, "exposed communication").outcome, Outcome::Worse);
    EXPECT_EQ(changeOf(comparison, "compute of a step").outcome, Outcome::Noise);
}

TEST(Compare, FasterIsBetterAndNegative)
{
    const Comparison comparison = compared(job(80 * ms, 40 * ms), job(80 * ms, 20 * ms));
    EXPECT_LT(comparison.slower(), 0);
    EXPECT_EQ(comparison.changes.front().outcome, Outcome::Better);
}

TEST(Compare, AChangeBelowTheSpreadOfTheStepsIsNoise)
{
    const Comparison steady = compared(job(80 * ms, 20 * ms), job(83 * ms, 20 * ms));
    EXPECT_NEAR(steady.slower(), 0.03, 1e-9);
    const Comparison restless = compared(job(80 * ms, 20 * ms, 10 * ms), job(83 * ms, 20 * ms, 10 * ms));
    EXPECT_EQ(restless.slower(), 0);
    EXPECT_EQ(restless.changes.front().outcome, Outcome::Noise);
}

TEST(Compare, AFindingThatOnlyOneRunHasCameOrWent)
{
    const Comparison comparison = compared(job(80 * ms, 1 * ms), job(80 * ms, 80 * ms));
    const Comparison back = compared(job(80 * ms, 80 * ms), job(80 * ms, 1 * ms));
    EXPECT_EQ(comparison.went.size(), 0U);
    EXPECT_EQ(back.came.size(), 0U);
    EXPECT_EQ(comparison.came.size(), back.went.size());
}

TEST(Compare, EmptyRunsHaveNothingInCommonAndAreNotSlower)
{
    const Comparison comparison = compared({}, {});
    EXPECT_EQ(comparison.slower(), 0);
}

}  // namespace
}  // namespace flowgauge::study
