// SPDX-License-Identifier: MIT
#include "workloads/train/reducer.h"
#include <gtest/gtest.h>
#include "workloads/train/communicator.h"

using namespace flowgauge::workloads;

/// Stands in for MPI: doubles every sum, as a second rank with equal values would, and remembers who asked for how much.
class DoublingCommunicator final : public Communicator {
public:
    bool threadSafe = true;
    std::vector<std::size_t> sums;
    std::vector<std::thread::id> callers;

    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 2; }
    [[nodiscard]] std::string library() const override { return "none"; }
    [[nodiscard]] bool threads() const override { return threadSafe; }
    void sum(std::span<float> values) override
    {
        for (float& value : values) value *= 2;
        sums.push_back(values.size());
        callers.push_back(std::this_thread::get_id());
    }
    void sum(std::span<double>) override {}
    void broadcast(std::span<float>) override {}
    void barrier() override {}
    [[noreturn]] void abort(int status) override { std::_Exit(status); }
};

static BucketPlan threeBuckets()
{
    return planBuckets({{"a", 10}, {"b", 30}, {"c", 5}, {"d", 5}, {"e", 2}}, {.firstBytes = 8, .capBytes = 60});
}

class EitherWay : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Reducer, EitherWay, testing::Bool());

TEST_P(EitherWay, SumsEveryBucketOnceAndInOrderHoweverTensorsBecomeReady)
{
    DoublingCommunicator communicator;
    GradientReducer reducer(communicator, threeBuckets(), GetParam());
    for (int step = 0; step < 50; ++step) {
        reducer.begin();
        for (const std::size_t tensor : {0U, 1U, 4U, 2U, 3U}) {
            *reducer.gradient(tensor) = static_cast<float>(tensor);
            reducer.ready(tensor);
        }
        reducer.finish();
        for (std::size_t tensor = 0; tensor < 5; ++tensor) EXPECT_EQ(*reducer.gradient(tensor), 2 * static_cast<float>(tensor));
    }
    ASSERT_EQ(communicator.sums.size(), 150U);
    for (std::size_t i = 0; i < 150; ++i) EXPECT_EQ(communicator.sums[i], (std::array<std::size_t, 3>{2, 40, 10}[i % 3]));
    const bool byTheTrainersThread = communicator.callers.front() == std::this_thread::get_id();
    EXPECT_EQ(byTheTrainersThread, !GetParam());
}

TEST_P(EitherWay, SaysWhenATensorNeverBecameReady)
{
    DoublingCommunicator communicator;
    GradientReducer reducer(communicator, threeBuckets(), GetParam());
    reducer.begin();
    reducer.ready(4);
    EXPECT_THROW(reducer.finish(), std::runtime_error);
    EXPECT_THROW(reducer.ready(4), std::runtime_error);
}

TEST(Reducer, RefusesToOverlapWithoutThreadSafety)
{
    DoublingCommunicator communicator;
    communicator.threadSafe = false;
    EXPECT_THROW(GradientReducer(communicator, threeBuckets(), true), std::runtime_error);
    EXPECT_NO_THROW(GradientReducer(communicator, threeBuckets(), false));
}
