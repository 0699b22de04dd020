// SPDX-License-Identifier: MIT
#include "analyzer/facts/run_part.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

/// A thousand kernels of 600 ns, one a microsecond, each launched by a call; looked at as if a set might have fifty pieces.
class LargeRun : public SmallRun {
protected:
    static constexpr int kernels = 1000;
    static constexpr Nanos idle = 400;  ///< between two of them

    /// launched: when, counted from the begin of the kernel before.
    RunFacts withKernelsLaunched(Nanos launched)
    {
        const store::Id rank = process(100, 0);
        const store::Id name = store.name("gemm");
        const store::Id call = store.name("cudaLaunchKernel");
        for (std::int64_t i = 1; i <= kernels; ++i) {
            const auto link = static_cast<std::uint64_t>(i);
            put(rank, {i * 1000, i * 1000 + 600, link, Kind::Kernel, 0, {name, 0, 7, 1}}, 7);
            put(rank, {(i - 1) * 1000 + launched, (i - 1) * 1000 + launched + 5, link, Kind::GpuApi, 0, {call, 0, 0, 0}});
        }
        store::RunStore& written = finished();
        Layout layout = layoutOf(written, {}, {});
        layout.limit.most = 50;
        PartReader reader(written, std::move(layout));
        std::vector<RunPart> parts;
        parts.push_back(reader.finish(reader.known(), written));
        return joinParts(written, "large", std::move(parts));
    }
};

TEST_F(LargeRun, KeepsFewPiecesAndExactTotalsAndSaysHowCloselyItLooked)
{
    const RunFacts run = withKernelsLaunched(700);
    const RankFacts& rank = run.ranks.at(0);
    EXPECT_LE(rank.compute.size(), 50U);
    EXPECT_EQ(rank.compute.total(), kernels * 600);
    const Interval all = rank.gpu.extent;
    EXPECT_EQ(PartSets(rank).within(all), (TimeParts{all.length(), kernels * 600, 0, 0, 0, (kernels - 1) * idle}));
    const auto row =
        std::find_if(run.ledger.begin(), run.ledger.end(), [](const LedgerRow& one) { return one.what == "stretches of time"; });
    ASSERT_NE(row, run.ledger.end());
    EXPECT_EQ(row->state, "degraded");
    EXPECT_EQ(row->amount, rank.closeness.cell);
    EXPECT_EQ(rank.closeness.cell, 32'768) << "a thousand microseconds in cells of 2^15 ns";
}

TEST_F(LargeRun, TellsALateLaunchFromAGpuThatWaitsForItselfThoughPiecesMoved)
{
    EXPECT_EQ(withKernelsLaunched(700).ranks.at(0).gpu.lateLaunch.total(), (kernels - 1) * idle);
}

TEST_F(LargeRun, DoesNotTakeAnEarlyLaunchForALateOneBecausePiecesMoved)
{
    const RunFacts run = withKernelsLaunched(500);
    EXPECT_TRUE(run.ranks.at(0).gpu.lateLaunch.empty());
    EXPECT_TRUE(run.ranks.at(0).gpu.launchesKnown.known());
}

}  // namespace
}  // namespace flowgauge::facts
