// SPDX-License-Identifier: MIT
#include "gui/load/side_by_side.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::load {
namespace {

constexpr Nanos ms = 1'000'000;

/// Two epochs of 100 and 200 ms; computes through the first half of each.
class SideBySide : public facts::SmallRun {
protected:
    RunPtr write()
    {
        const store::Id id = process(100, 0, 1);
        for (const auto& [number, when] : {std::pair(1, Interval{0, 100 * ms}), std::pair(2, Interval{300 * ms, 500 * ms})}) {
            mark(id, Kind::EpochMark, when, number, 64);
            mark(id, Kind::StepMark, when, number, 64);
            phase(id, "forward", {when.begin, when.begin + when.length() / 2});
        }
        (void)finished();
        auto run = std::make_shared<RunSnapshot>(snapshotOf(store));
        run->name = "small";
        run->analysis = analysisOf(store, run->name);
        return run;
    }
};

TEST_F(SideBySide, AWindowOfTheEpochIsThatPieceOfEachRun)
{
    const RunPtr run = write();
    const SideAnswer answer = sideBySide({{&store, run}, {&store, run}}, {2, {}, 200});
    EXPECT_EQ(answer.question.window, (Interval{0, 200 * ms}));
    ASSERT_EQ(answer.runs.size(), 2U);
    for (const SideRun& one : answer.runs) {
        EXPECT_EQ(one.epoch, (Interval{300 * ms, 500 * ms}));
        ASSERT_FALSE(one.rows.empty());
        EXPECT_EQ(one.rows.front().label, "compute");
        const timeline::Cell* early = timeline::cellUnder(one.strips.front(), 350 * ms);
        const timeline::Cell* late = timeline::cellUnder(one.strips.front(), 450 * ms);
        ASSERT_TRUE(early != nullptr && late != nullptr);
        EXPECT_EQ(early->tone, timeline::Tone::Compute);
        EXPECT_EQ(late->tone, timeline::Tone::None);
    }
}

TEST_F(SideBySide, AnEpochThatNoRunHasIsTheFirstOneAndARunWithoutItSaysSo)
{
    const RunPtr run = write();
    EXPECT_EQ(sideBySide({{&store, run}}, {9, {}, 200}).question.epoch, 1);
    auto bare = std::make_shared<RunSnapshot>(*run);
    bare->analysis.reset();
    const SideAnswer answer = sideBySide({{&store, run}, {&store, bare}}, {2, {0, 10 * ms}, 200});
    EXPECT_EQ(answer.question.window, (Interval{0, 10 * ms}));
    EXPECT_TRUE(answer.runs[1].epoch.empty());
    EXPECT_TRUE(answer.runs[1].strips.empty());
}

}  // namespace
}  // namespace flowgauge::load
