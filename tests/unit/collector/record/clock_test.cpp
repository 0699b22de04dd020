// SPDX-License-Identifier: MIT
#include "collector/record/clock.h"

#include <gtest/gtest.h>
#include <unistd.h>

using namespace flowgauge;

TEST(Clock, ReadsAsMonotonicUntilOneIsChosen)
{
    // A test program of its own order: this test comes first, and nothing before it chose a clock.
    if (clockSource() != ClockSource::Unknown) GTEST_SKIP() << "another test of this process chose a clock already";
    timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    const auto before = static_cast<Ticks>(at.tv_sec) * 1'000'000'000 + static_cast<Ticks>(at.tv_nsec);
    EXPECT_GE(now(), before);
    EXPECT_LT(now(), before + 60'000'000'000);
}

TEST(Clock, StaysWithItsChoice)
{
    chooseClock();
    const ClockSource chosen = clockSource();
    EXPECT_NE(chosen, ClockSource::Unknown);
    chooseClock();
    EXPECT_EQ(clockSource(), chosen);
}

TEST(Clock, NeverGoesBackOnOneThread)
{
    chooseClock();
    Ticks last = now();
    for (int i = 0; i < 100'000; ++i) {
        const Ticks next = now();
        ASSERT_GE(next, last);
        last = next;
    }
}

TEST(Clock, AnchorsTieTicksToRealTime)
{
    chooseClock();
    const ClockAnchor first = readAnchor();
    ::usleep(50'000);
    const ClockAnchor second = readAnchor();
    EXPECT_GT(second.ticks, first.ticks);
    EXPECT_GE(second.rawNs - first.rawNs, 50'000'000);
    EXPECT_GE(first.errorNs, 0);
    timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    EXPECT_NEAR(static_cast<double>(second.realtimeNs), static_cast<double>(at.tv_sec) * 1e9 + static_cast<double>(at.tv_nsec), 5e9);
    if (clockSource() == ClockSource::Monotonic) {
        EXPECT_NEAR(static_cast<double>(second.ticks - first.ticks), static_cast<double>(second.rawNs - first.rawNs), 5e6);
    }
}
