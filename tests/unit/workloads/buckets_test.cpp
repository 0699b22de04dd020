// SPDX-License-Identifier: MIT
#include "workloads/train/buckets.h"
#include <gtest/gtest.h>
#include <numeric>
#include "workloads/train/resnet50_shape.h"

using namespace flowgauge::workloads;

TEST(Resnet50Shape, Has161TensorsOf25557032Numbers)
{
    const auto tensors = resnet50Tensors();
    std::uint64_t numbers = 0;
    for (const TensorInfo& tensor : tensors) numbers += tensor.elements;
    EXPECT_EQ(tensors.size(), 161U);
    EXPECT_EQ(numbers, 25'557'032U);
    EXPECT_EQ(tensors.front().name, "conv1.weight");
    EXPECT_EQ(tensors.back().name, "fc.bias");
}

TEST(Resnet50Shape, WorkSharesSumToOne)
{
    const auto shares = resnet50WorkShares();
    EXPECT_EQ(shares.size(), 161U);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-12);
}

TEST(Buckets, OfResnet50AreTheFiveOfDistributedDataParallel)
{
    const auto plan = planBuckets(resnet50Tensors(), {});
    const std::vector<std::uint64_t> expected{8'196'000, 31'502'336, 26'255'360, 26'550'272, 9'724'160};  // 7.82 30.04 25.04 25.32 9.27 MiB
    EXPECT_EQ(plan.bytes(), expected);
}

TEST(Buckets, CloseAfterTheTensorThatCrossesTheLimit)
{
    const std::vector<TensorInfo> tensors{{"a", 10}, {"b", 30}, {"c", 5}, {"d", 5}, {"e", 2}};
    const auto plan = planBuckets(tensors, {.firstBytes = 8, .capBytes = 60});
    EXPECT_EQ(plan.bytes(), (std::vector<std::uint64_t>{8, 160, 40}));  // e | d c b | a
    EXPECT_EQ(plan.tensorCount, (std::vector<std::size_t>{1, 3, 1}));
    EXPECT_EQ(plan.places[1].bucket, 1U);
    EXPECT_EQ(plan.places[1].offset, 10U);  // behind d and c
}

TEST(Buckets, OfNothingAreNone) { EXPECT_TRUE(planBuckets({}, {}).bytes().empty()); }
