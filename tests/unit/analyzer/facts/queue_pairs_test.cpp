// SPDX-License-Identifier: MIT
#include "analyzer/facts/queue_pairs.h"

#include "analyzer/facts/port_traffic.h"
#include "analyzer/facts/trouble_facts.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

constexpr Nanos second = 1'000'000'000;

class QueuePairFacts : public SmallRun {
protected:
    QueuePairFacts()
    {
        for (const auto& [pid, rank] : {std::pair{4711, 0}, {4712, 1}}) read(process(pid, rank, 2), "/data", {0, 10}, 1);
    }
};

TEST_F(QueuePairFacts, AreTheJobsByRankOthersAndAPartOfThePorts)
{
    grow(Counter::QpSequenceNaks, 100, 109, "mlx5_0/1/4711/3");
    grow(Counter::QpSequenceNaks, 0, 2, "mlx5_0/1/4711/8");  // of another type of queue pairs
    grow(Counter::QpSequenceNaks, 7, 7, "mlx5_0/1/4712/4");
    grow(Counter::QpSequenceNaks, 0, 5, "mlx5_0/1/999/5");
    grow(Counter::QpSequenceNaks, 0, 6, "mlx5_0/1/-/6");
    grow(Counter::QpSequenceNaks, 0, 8, "mlx5_0/1/kernel/7");
    grow(Counter::IbSequenceNaks, 1000, 1040, "mlx5_0/1");
    grow(Counter::QpTxBytes, 0, 4000, "mlx5_0/2/4711/9");
    grow(Counter::IbTxBytes, 0, 1250, "mlx5_0/2");
    grow(Counter::QpOutOfBuffer, 0, 1, "mlx5_0/2/4711/9");
    const std::vector<QueuePairPort> ports = queuePairsOf(finished());
    ASSERT_EQ(ports.size(), 2U);
    EXPECT_EQ(ports[0].host, "node-a");
    EXPECT_EQ(ports[0].port, "mlx5_0/1");
    ASSERT_EQ(ports[0].counts.size(), 1U);
    const QueuePairCount& naks = ports[0].counts[0];
    EXPECT_EQ(naks.counter, Counter::QpSequenceNaks);
    EXPECT_EQ(naks.job, (std::map<int, double>{{0, 11}, {1, 0}}));
    EXPECT_DOUBLE_EQ(naks.ofJob(), 11);
    EXPECT_DOUBLE_EQ(naks.others, 19);
    EXPECT_EQ(naks.port, Measured<double>(40));
    EXPECT_EQ(ports[1].port, "mlx5_0/2");
    EXPECT_EQ(ports[1].find(Counter::QpTxBytes)->port, Measured<double>(5000)) << "words of the port, bytes of the queue pairs";
    EXPECT_EQ(ports[1].find(Counter::QpOutOfBuffer)->port, Measured<double>::missing("the port's own was not read"));
    EXPECT_EQ(ports[1].find(Counter::QpDuplicates), nullptr);
}

TEST_F(QueuePairFacts, ACounterThatWrapsGoesOnAndOneThatWasResetCountsFromItsNewZero)
{
    const std::int64_t end = std::int64_t{1} << 32;
    grow(Counter::QpAckTimeouts, end - 5, 4, "mlx5_0/1/4711/3");
    grow(Counter::QpAckTimeouts, 100, 3, "mlx5_0/1/4712/4");
    EXPECT_EQ(queuePairsOf(finished()).at(0).counts.at(0).job, (std::map<int, double>{{0, 9}, {1, 3}}));
}

/// What the port counted already: in no sum of ports, and no trouble of its own.
TEST_F(QueuePairFacts, AreNeverAddedToTheirPort)
{
    grow(Counter::QpTxBytes, 0, 4000, "mlx5_0/1/4711/3");
    grow(Counter::QpSequenceNaks, 0, 9, "mlx5_0/1/4711/3");
    grow(Counter::IbTxBytes, 0, 1250, "mlx5_0/1");
    grow(Counter::IbSequenceNaks, 0, 40, "mlx5_0/1");
    store::RunStore& recorded = finished();
    const PortTraffic traffic(recorded, RunFacts{});
    ASSERT_EQ(traffic.ports().size(), 1U);
    EXPECT_DOUBLE_EQ(traffic.within(0, {0, second}).sent.moved, 5000);
    const TroubleFacts trouble = troublesOf(recorded);
    ASSERT_EQ(trouble.troubles.size(), 1U);
    EXPECT_DOUBLE_EQ(trouble.troubles[0].grown, 40);
}

TEST_F(QueuePairFacts, WithoutABoundCounterThereIsNothing)
{
    grow(Counter::IbSequenceNaks, 0, 40, "mlx5_0/1");
    EXPECT_TRUE(queuePairsOf(finished()).empty());
}

TEST(QueuePairParts, EveryCounterOfTheFamilyIsAPartOfOneOfAPort)
{
    std::map<Counter, int> found;
    for (const CounterRow& row : counterRows)
        if (const std::optional<Counter> part = partOf(row.counter)) ++found[*part];
    for (const CounterRow& row : counterRows) EXPECT_EQ(found[row.counter] > 0, row.family == CounterFamily::QueuePair) << row.sqlName;
}

}  // namespace
}  // namespace flowgauge::facts
