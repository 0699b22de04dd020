// SPDX-License-Identifier: MIT
#include "workloads/simulate/cache_model.h"
#include "workloads/simulate/network_model.h"

#include <gtest/gtest.h>

namespace flowgauge::simulate {
namespace {

Parameters nodes(int count, ShardRule rule = ShardRule::Reshuffle)
{
    Parameters parameters;
    parameters.cluster.nodes = count;
    parameters.data.rule = rule;
    return parameters;
}

int firstQuietEpoch(const Parameters& parameters)
{
    const CacheModel cache(parameters);
    int epoch = 1;
    while (cache.fetchedShare(epoch) >= 0.05) ++epoch;
    return epoch;
}

TEST(CacheModel, ReshuffledDataIsInTheCacheAfter2_6_12_24EpochsOn1_2_4_8Nodes)
{
    EXPECT_EQ(firstQuietEpoch(nodes(1)), 2);
    EXPECT_EQ(firstQuietEpoch(nodes(2)), 6);
    EXPECT_EQ(firstQuietEpoch(nodes(4)), 12);
    EXPECT_EQ(firstQuietEpoch(nodes(8)), 24);
}

TEST(CacheModel, AStickyShardIsFetchedOnce) { EXPECT_EQ(firstQuietEpoch(nodes(8, ShardRule::Sticky)), 2); }

TEST(CacheModel, RotationFetchesOneRanksPartUntilTheNodeHasSeenAll)
{
    const Parameters parameters = nodes(2, ShardRule::Rotate);
    const CacheModel cache(parameters);
    EXPECT_DOUBLE_EQ(cache.fetchedShare(2), 0.25);
    EXPECT_DOUBLE_EQ(cache.fetchedShare(5), 0.25);
    EXPECT_DOUBLE_EQ(cache.fetchedShare(6), 0);
}

TEST(CacheModel, MemoryThatHoldsHalfOfTheDataLeavesHalfToFetch)
{
    Parameters parameters = nodes(1);
    parameters.data.bytes = 180e9;
    parameters.cluster.memoryGb = 100;
    EXPECT_DOUBLE_EQ(CacheModel(parameters).fetchedShare(9), 0.5);
}

double bytesOfNode(const Parameters& parameters)
{
    double sum = 0;
    for (const Bucket& bucket : bucketsOf(parameters)) sum += bucket.nodeBytes;
    return sum / 1e6;
}

TEST(NetworkModel, OneEndpointANodeSends51_77_89MegabytesFrom2_4_8Nodes)
{
    Parameters parameters;
    parameters.link.scheme = Scheme::Hierarchical;
    const std::pair<int, double> expected[] = {{1, 0}, {2, 51.1}, {4, 76.7}, {8, 89.4}};
    for (const auto& [count, megabytes] : expected) {
        parameters.cluster.nodes = count;
        EXPECT_NEAR(bytesOfNode(parameters), megabytes, 0.1) << count << " nodes";
    }
}

TEST(NetworkModel, AFlatRingSendsNearlyTheSameFromAnyNumberOfNodes)
{
    Parameters parameters;
    parameters.link.scheme = Scheme::Ring;
    const std::pair<int, double> expected[] = {{2, 89.4}, {4, 95.8}, {8, 99.0}};
    for (const auto& [count, megabytes] : expected) {
        parameters.cluster.nodes = count;
        EXPECT_NEAR(bytesOfNode(parameters), megabytes, 0.1) << count << " nodes";
    }
}

TEST(NetworkModel, BucketsAddUpToTheGradients)
{
    std::int64_t sum = 0;
    for (const Bucket& bucket : bucketsOf(nodes(2))) sum += bucket.bytes;
    EXPECT_NEAR(static_cast<double>(sum), 51'114'064, 5);
}

TEST(NetworkModel, OneRankReducesNothing)
{
    Parameters parameters = nodes(1);
    parameters.cluster.gpusPerNode = 1;
    EXPECT_TRUE(bucketsOf(parameters).empty());
}

}  // namespace
}  // namespace flowgauge::simulate
