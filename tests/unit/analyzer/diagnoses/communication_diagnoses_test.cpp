// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/network_rows.h"
#include "analyzer/report/units.h"
#include "tests/unit/analyzer/diagnoses/hand_written.h"

#include <gtest/gtest.h>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;
using facts::RankFacts;

/// Ten steps of 100 ms, 80 of compute. Two reductions hide behind it, the third of `last` ms does not.
RankFacts lateLast(int number, Nanos last)
{
    RankFacts rank = rankOf(number);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        const auto sequence = static_cast<std::uint64_t>(3 * step);
        rank.steps.push_back({step, {t, t + 100 * ms}, 16});
        rank.compute.append({t, t + (100 - last) * ms});
        allreduce(rank, sequence, {t + 30 * ms, t + 40 * ms});
        allreduce(rank, sequence + 1, {t + 45 * ms, t + 55 * ms});
        allreduce(rank, sequence + 2, {t + (100 - last) * ms, t + 100 * ms});
    }
    return rank;
}

TEST(LateBucket, IsTheLastReductionThatNothingHides)
{
    const auto finding = answerOf("late_bucket", runOf({lateLast(0, 20), lateLast(1, 20)}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 2 * 10 * 20 * ms);
    EXPECT_NEAR(finding->gain.value, 0.15, 1e-9);  // three quarters of it
    EXPECT_LE(finding->gain.value, finding->share());
}

TEST(LateBucket, NeedsOthersThatAreHidden)
{
    RankFacts rank = lateLast(0, 20);
    rank.compute = IntervalSet::of({{0, 10 * ms}});  // now all are exposed
    EXPECT_FALSE(answerOf("late_bucket", runOf({rank})));
    EXPECT_FALSE(answerOf("late_bucket", runOf({rankOf(0)})));
}

facts::RunFacts acrossHosts(std::vector<RankFacts> ranks)
{
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].host = "node-" + std::to_string(i);
    facts::RunFacts run = runOf(std::move(ranks));
    run.clocks = facts::Clocks(run.ranks);
    return run;
}

TEST(SlowLink, GainsWhatHalfTheTransferOfExposedReductionsIs)
{
    const auto finding = answerOf("slow_link", acrossHosts({lateLast(0, 40), lateLast(1, 40)}));
    ASSERT_TRUE(finding);
    EXPECT_NEAR(finding->gain.value, 0.1, 1e-9);  // bytes of this size take 20 ms on average; of the 40 exposed, 10 are saved
    EXPECT_FALSE(answerOf("slow_link", runOf({lateLast(0, 40), lateLast(1, 40)}))) << "on one host there is no link";
}

/// Ranks take turns at computing 40 ms longer than the other.
TEST(Imbalance, TakingTurnsAtBeingSlowIsOne)
{
    RankFacts ranks[2] = {rankOf(0), rankOf(1)};
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        for (int i = 0; i < 2; ++i) {
            const Nanos late = step % 2 == i ? 40 * ms : 0;
            ranks[i].steps.push_back({step, {t, t + 100 * ms}, 16});
            ranks[i].compute.append({t, t + 50 * ms + late});
            allreduce(ranks[i], static_cast<std::uint64_t>(step), {t + 50 * ms + late, t + 100 * ms});
        }
    }
    const facts::RunFacts run = runOf({ranks[0], ranks[1]});
    const auto finding = answerOf("imbalance", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 10 * 40 * ms);
    EXPECT_NEAR(finding->gain.value, 0.2, 1e-9);  // 90 becomes the mean of 50 and 90
    EXPECT_FALSE(answerOf("straggler", run));
}

TEST(Imbalance, AStragglerIsNotToldTwice)
{
    RankFacts fast = rankOf(0);
    RankFacts slow = rankOf(1);
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 100 * ms;
        for (RankFacts* rank : {&fast, &slow}) rank->steps.push_back({step, {t, t + 100 * ms}, 16});
        fast.compute.append({t, t + 50 * ms});
        slow.compute.append({t, t + 90 * ms});
        allreduce(fast, static_cast<std::uint64_t>(step), {t + 50 * ms, t + 100 * ms});
        allreduce(slow, static_cast<std::uint64_t>(step), {t + 90 * ms, t + 100 * ms});
    }
    EXPECT_FALSE(answerOf("imbalance", runOf({fast, slow})));
}

TEST(Straggler, IsNotNamedWhereTheClocksAreNotKnownWellEnough)
{
    // Rank 1 comes 40 ms late by its own clock, which is 40 ms ahead: they come together. Long collectives leave that open.
    RankFacts ranks[2] = {rankOf(0), rankOf(1)};
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 200 * ms;
        for (int i = 0; i < 2; ++i) {
            const Nanos shown = i == 1 ? 40 * ms : 0;
            ranks[i].steps.push_back({step, {t + shown, t + shown + 200 * ms}, 16});
            ranks[i].compute.append({t + shown, t + shown + 50 * ms});
            allreduce(ranks[i], static_cast<std::uint64_t>(step), {t + shown + 50 * ms, t + shown + 150 * ms});
        }
    }
    EXPECT_FALSE(answerOf("straggler", acrossHosts({ranks[0], ranks[1]})));
    EXPECT_TRUE(answerOf("straggler", runOf({ranks[0], ranks[1]}))) << "on one host the same times would mean it";
}

/// Two hosts of two ranks; all come after 50 ms but rank 3, which comes `late` ms later; the transfer takes 20.
facts::RunFacts withoutClocks(Nanos late)
{
    std::vector<RankFacts> ranks;
    for (int number = 0; number < 4; ++number) {
        RankFacts rank = rankOf(number);
        rank.host = number < 2 ? "node-a" : "node-b";
        const Nanos shown = number < 2 ? 0 : 7 * ms;  // node-b's clock
        const Nanos own = (number == 3 ? 50 + late : 50) * ms;
        for (std::int64_t step = 0; step < 10; ++step) {
            const Nanos t = step * 200 * ms + shown;
            const Nanos end = t + (70 + late) * ms;
            rank.steps.push_back({step, {t, end}, 16});
            rank.compute.append({t, t + own});
            allreduce(rank, static_cast<std::uint64_t>(step), {t + own, end});
        }
        ranks.push_back(std::move(rank));
    }
    facts::RunFacts run = runOf(std::move(ranks));
    run.clocks = facts::Clocks(run.ranks);
    return run;
}

TEST(Straggler, WhereClocksDoNotTellWhoWasLastTheShortestStayDoes)
{
    const auto finding = answerOf("straggler", withoutClocks(40));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->ranks, std::vector<int>{3});
    EXPECT_NEAR(finding->gain.value, 40.0 / 110, 1e-3);
    EXPECT_FALSE(answerOf("straggler", withoutClocks(0)));
}

/// Two ranks; rank 1 computes 40 ms longer. Reductions are handed in during backward and keep the wire busy for 80 ms.
TEST(Straggler, GainsNoMoreThanWhatHoldsTheStepUpNext)
{
    RankFacts ranks[2] = {rankOf(0), rankOf(1)};
    for (std::int64_t step = 0; step < 10; ++step) {
        const Nanos t = step * 170 * ms;
        for (int i = 0; i < 2; ++i) {
            const Nanos own = (i == 1 ? 100 : 60) * ms;
            ranks[i].steps.push_back({step, {t, t + 170 * ms}, 16});
            ranks[i].compute.append({t, t + own});
            ranks[i].phases["backward"].append({t + 10 * ms, t + own});
            allreduce(ranks[i], static_cast<std::uint64_t>(2 * step), {t + (i == 1 ? 90 : 50) * ms, t + 130 * ms});
            allreduce(ranks[i], static_cast<std::uint64_t>(2 * step) + 1, {t + own, t + 170 * ms});
            for (std::size_t call = 0; call < 2; ++call) ranks[i].collectives[ranks[i].collectives.size() - 1 - call].bytes = 1'000'000;
        }
    }
    const auto finding = answerOf("straggler", runOf({ranks[0], ranks[1]}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 10 * 40 * ms) << "both reductions are waited for at the same time";
    EXPECT_NEAR(finding->gain.value, 36.0 / 170, 1e-6) << "the first goes from 54 to 94, the second behind it";
}

/// Eight ranks compute 60 ms and a little more or less, each in its turn most; one of them `slower` ms more than all.
facts::RunFacts eight(Nanos slower)
{
    std::vector<RankFacts> ranks;
    for (int number = 0; number < 8; ++number) ranks.push_back(rankOf(number));
    for (std::int64_t step = 0; step < 40; ++step) {
        const Nanos t = step * 100 * ms;
        for (std::int64_t i = 0; i < 8; ++i) {
            const Nanos own = 60 * ms + (step * 5 + i * 3) % 8 * ms + (i == 5 ? slower * ms : 0);
            RankFacts& rank = ranks[static_cast<std::size_t>(i)];
            rank.steps.push_back({step, {t, t + 100 * ms}, 16});
            rank.compute.append({t, t + own});
            allreduce(rank, static_cast<std::uint64_t>(step), {t + own, t + 100 * ms});
        }
    }
    return runOf(std::move(ranks));
}

TEST(Straggler, OfEightRanksNeedNotCauseAlmostAll)
{
    const auto finding = answerOf("straggler", eight(4));  // last in 5 of 8 steps
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->ranks, std::vector<int>{5});
    EXPECT_FALSE(answerOf("straggler", eight(0)));
    EXPECT_FALSE(answerOf("straggler", eight(1)));
}

TEST(LinkErrors, AreToldFromACountOnThatIsNotOrdinary)
{
    facts::RunFacts run = runOf({lateLast(0, 20)});
    EXPECT_FALSE(answerOf("link_errors", run)) << "nothing was sampled";
    run.trouble.troubles = {{"node-a", "mlx5_0/1", Counter::IbSymbolErrors, 3}, {"node-a", "lo", Counter::NicRxDropped, 10}};
    EXPECT_FALSE(answerOf("link_errors", run));
    run.trouble.troubles.push_back({"node-b", "mlx5_0/1", Counter::IbLinkDowned, 1});
    const auto finding = answerOf("link_errors", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->details.size(), 1U);
    EXPECT_EQ(finding->amount, 10 * 20 * ms);
}

TEST(LinkErrors, CountersOfQueuePairsTellWhose)
{
    facts::RunFacts run = runOf({lateLast(0, 20)});
    run.trouble.troubles = {{"node-b", "mlx5_0/1", Counter::IbSequenceNaks, 40}, {"node-b", "mlx5_1/1", Counter::IbSequenceNaks, 30}};
    run.network.queuePairs = {{"node-a", "mlx5_0/1", {{Counter::QpSequenceNaks, {{0, 7}}, 0, 7.0}}},
                              {"node-b", "mlx5_0/1", {{Counter::QpSequenceNaks, {{0, 9}, {1, 3}}, 5, 40.0}}}};
    const auto finding = answerOf("link_errors", run);
    ASSERT_TRUE(finding);
    ASSERT_EQ(finding->details.size(), 2U);
    EXPECT_EQ(report::sentence(finding->details[0]),
              "40 times the far side lost packets at mlx5_0/1 on node-b: 12 of them in queue pairs of this job's processes, 5 in others "
              "that have a counter.");
    EXPECT_EQ(report::sentence(finding->details[1]), "30 times the far side lost packets at mlx5_1/1 on node-b.");

    const std::vector<findings::QueuePairRow> rows = networkOf(run).queuePairs;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].name, "queue_pair_sequence_naks");
    EXPECT_EQ(rows[1].what, "times the far side lost packets");
    EXPECT_DOUBLE_EQ(rows[1].job, 12);
    EXPECT_EQ(rows[1].ranks.size(), 2U);
    run.network.queuePairs = {{"node-a", "mlx5_0/1", {{Counter::QpSequenceNaks, {{0, 0}}, 0, 0.0}}}};
    EXPECT_TRUE(networkOf(run).queuePairs.empty()) << "what stood still says nothing";
}

TEST(LinkErrors, ConnectionsThatSendAThirtiethAgainAreSome)
{
    facts::RunFacts run = runOf({lateLast(0, 20)});
    facts::PeerConnections peer;
    peer.host = "node-a";
    peer.peer = "node-b";
    peer.kind = facts::PeerKind::OtherHost;
    peer.run = {10e6, 10e6};
    peer.resent = 0.29e6;
    run.network.connections = {peer};
    EXPECT_FALSE(answerOf("link_errors", run));
    run.network.connections.front().resent = 0.3e6;
    ASSERT_TRUE(answerOf("link_errors", run));
    EXPECT_EQ(answerOf("link_errors", run)->details.size(), 1U);
    run.network.connections.front().kind = facts::PeerKind::SameHost;
    EXPECT_FALSE(answerOf("link_errors", run)) << "no wire";
    run.network.connections.front().kind = facts::PeerKind::Elsewhere;
    run.network.connections.front().run.sent = 0.9e6;
    EXPECT_FALSE(answerOf("link_errors", run)) << "a few packets say nothing";
    run.network.connections.front().run.sent = 10e6;
    run.network.connections.front().resent = Measured<double>::missing("the kernel does not tell");
    EXPECT_FALSE(answerOf("link_errors", run));
}

TEST(Congestion, NeedsManyTicksASecond)
{
    facts::RunFacts run = runOf({lateLast(0, 20)});  // one second
    run.trouble.troubles = {{"node-a", "mlx5_0/1", Counter::IbTxWait, 1e6}};
    EXPECT_FALSE(answerOf("congestion", run));
    run.trouble.troubles.front().grown = 1e9;
    EXPECT_TRUE(answerOf("congestion", run));
}

TEST(Congestion, NotificationsThrottleToo)
{
    facts::RunFacts run = runOf({lateLast(0, 20)});
    run.trouble.troubles = {{"node-a", "mlx5_0/1", Counter::IbCnpHandled, 99}};
    EXPECT_FALSE(answerOf("congestion", run));
    run.trouble.troubles.front().grown = 100;
    EXPECT_TRUE(answerOf("congestion", run));
}

TEST(Congestion, PausesOfAnEthernetPortHoldItUpAsWell)
{
    for (const auto& [counter, little, much] : {std::tuple{Counter::NicRxPausedUs, 99'999.0, 100'000.0},
                                                {Counter::NicTxPausedUs, 99'999.0, 100'000.0},
                                                {Counter::NicRxPauses, 99.0, 100.0},
                                                {Counter::NicTxPauses, 99.0, 100.0},
                                                {Counter::NicPciStallsWriting, 0.0, 1.0}}) {
        facts::RunFacts run = runOf({lateLast(0, 20)});  // one second
        run.trouble.troubles = {{"node-a", "eth0/prio3", counter, little}};
        EXPECT_FALSE(answerOf("congestion", run)) << rowOf(counter).sqlName;
        run.trouble.troubles.front().grown = much;
        EXPECT_TRUE(answerOf("congestion", run)) << rowOf(counter).sqlName;
    }
}

TEST(SaturatedLink, CountsTheWaitsWhileAPortOfTheRanksHostIsFull)
{
    facts::RunFacts run = runOf({lateLast(0, 20)});  // ten steps of 100 ms, of which the last 20 communicate
    EXPECT_FALSE(answerOf("saturated_link", run));
    facts::PortFacts port;
    port.port = {"node-a", "mlx5_0/1", facts::PortKind::Rdma, true, 12.5e9};
    port.peakSent = 12e9;
    port.full = IntervalSet::of({{0, 190 * ms}});
    run.network.ports = {port};
    const auto finding = answerOf("saturated_link", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 30 * ms) << "all of the first step's communication, half of the second's";
    EXPECT_EQ(finding->evidence.front().when, (Interval{0, 190 * ms}));
    run.network.ports.front().port.host = "node-b";
    EXPECT_EQ(answerOf("saturated_link", run)->amount, 0);
}

TEST(GpuDirect, IsNotInUseWhereGradientsPassThroughTheHosts)
{
    RankFacts ranks[2] = {lateLast(0, 20), lateLast(1, 20)};
    for (RankFacts& rank : ranks) {
        rank.gpu.used = true;
        rank.commBytes = 1000;
        rank.copy = IntervalSet::of({{85 * ms, 90 * ms}});
        rank.communication = rank.communication.minus(rank.copy);
    }
    EXPECT_FALSE(answerOf("gpudirect", acrossHosts({ranks[0], ranks[1]})));
    for (RankFacts& rank : ranks) rank.gpu.copies = {{1, {10, 1000, 0}}, {2, {10, 1000, 0}}};
    const auto finding = answerOf("gpudirect", acrossHosts({ranks[0], ranks[1]}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 2 * 5 * ms);
    EXPECT_FALSE(answerOf("gpudirect", runOf({ranks[0], ranks[1]}))) << "within one host gradients need no network";
}

TEST(HostBound, IsIdleInWhichNothingWasLaunched)
{
    RankFacts rank = rankOf(0);
    rank.steps = {{0, {0, 100 * ms}, 16}};
    rank.compute = IntervalSet::of({{0, 40 * ms}, {60 * ms, 100 * ms}});
    rank.gpu.used = true;
    EXPECT_FALSE(answerOf("host_bound", runOf({rank})));
    rank.gpu.lateLaunch = IntervalSet::of({{40 * ms, 55 * ms}});
    const auto finding = answerOf("host_bound", runOf({rank}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->amount, 15 * ms);
    rank.waiting = IntervalSet::of({{40 * ms, 60 * ms}});
    EXPECT_FALSE(answerOf("host_bound", runOf({rank}))) << "it waits for data: that is another finding's";
}

}  // namespace
}  // namespace flowgauge::diagnoses
