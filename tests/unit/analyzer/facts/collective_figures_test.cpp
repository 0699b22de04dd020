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
    EXPECT_EQ(all[0].busbw.reason(), "known is when NCCL took the call, not when the GPU ran it");
}

TEST_F(CollectiveFiguresTest, AKernelThatCarriesACollectiveHasOne)
{
    const store::Id ranks[] = {process(100, 0, 2), process(200, 1, 2)};
    for (const store::Id rank : ranks) put(rank, call({1'000, 2'000}, 0, flagNccl));
    EXPECT_DOUBLE_EQ(figures().at(0).busbw.value(), 1e12);
}

}  // namespace
}  // namespace flowgauge::facts
