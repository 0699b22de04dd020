// SPDX-License-Identifier: MIT
#include "instrument/mpi/requests.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace flowgauge::mpi {
namespace {

Request* openFilled(Word handle)
{
    Request* const request = requests::open(handle);
    if (request != nullptr) requests::release(request);
    return request;
}

std::size_t closeAll()
{
    static std::size_t closed;
    closed = 0;
    requests::closeAll([](const Request&) { ++closed; });
    return closed;
}

TEST(Requests, AClaimedRequestIsNotFoundAgainUntilItIsReleased)
{
    openFilled(0x1000);
    Request* const claimed = requests::claim(0x1000);
    ASSERT_NE(claimed, nullptr);
    EXPECT_EQ(requests::claim(0x1000), nullptr);
    requests::release(claimed);
    EXPECT_EQ(requests::claim(0x1000), claimed);
    requests::close(claimed);
    EXPECT_EQ(requests::claim(0x1000), nullptr);
}

TEST(Requests, AHandleThatComesBackWhileTheOldOneIsBeingClosedIsAnotherRequest)
{
    openFilled(0x2000);
    Request* const old = requests::claim(0x2000);
    Request* const fresh = openFilled(0x2000);
    EXPECT_NE(old, fresh);
    EXPECT_EQ(requests::claim(0x2000), fresh);
    requests::close(old);
    requests::close(fresh);
}

TEST(Requests, AsManyAsThereArePlacesMayShareOneHandleAndTheNextIsRefused)
{
    for (std::size_t i = 0; i < requests::capacity; ++i) ASSERT_NE(openFilled(0x3000), nullptr) << i;
    EXPECT_EQ(openFilled(0x3000), nullptr);
    EXPECT_EQ(openFilled(0x4000), nullptr);
    for (std::size_t i = 0; i < requests::capacity; ++i) {
        Request* const request = requests::claim(0x3000);
        ASSERT_NE(request, nullptr) << i;
        requests::close(request);
    }
    EXPECT_EQ(requests::claim(0x3000), nullptr);
    EXPECT_EQ(closeAll(), 0u);
}

TEST(Requests, EightThreadsEachFindTheirOwn)
{
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (Word thread = 1; thread <= 8; ++thread)
        threads.emplace_back([thread, &wrong] {
            for (Word i = 0; i < 20'000; ++i) {
                const Word handle = thread << 32 | (i % 50 + 1) << 4;
                if (openFilled(handle) == nullptr) ++wrong;
                Request* const found = requests::claim(handle);
                if (found == nullptr || found->handle.load() != handle) ++wrong;
                if (found != nullptr) requests::close(found);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(closeAll(), 0u);
}

}  // namespace
}  // namespace flowgauge::mpi
