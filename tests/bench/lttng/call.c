// SPDX-License-Identifier: MIT
// The same stubbed call as hot_path, wrapped in two LTTng-UST tracepoints: what our one recorded event replaces.
//
//   lttng_call [CALLS]      prints ns of processor time per call; meaningful while a session with flowgauge_bench:* is started
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tests/bench/lttng/point.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Stands for the real call, as in hot_path: returns at once.
__attribute__((noinline)) static long stubbedRead(int fd, size_t bytes)
{
    __asm__ volatile("" : : "r"(fd) : "memory");
    return (long)bytes;
}

static double processorNs(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

int main(int argc, char** argv)
{
    const long calls = argc > 1 ? atol(argv[1]) : 2000000;
    double best = 1e18;
    for (int round = 0; round < 5; ++round) {
        const double begin = processorNs();
        for (long i = 0; i < calls; ++i) {
            lttng_ust_tracepoint(flowgauge_bench, enter, 3, (size_t)4096);
            const long got = stubbedRead(3, 4096);
            lttng_ust_tracepoint(flowgauge_bench, leave, 3, got);
        }
        const double each = (processorNs() - begin) / (double)calls;
        if (each < best) best = each;
    }
    printf("%.1f\n", best);
    return 0;
}
