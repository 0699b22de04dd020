/* SPDX-License-Identifier: MIT */
/* marks [cost]: sets marks in every way that flowgauge.h offers, well and badly; `cost` prints ns per call. It must compile as C99
 * and as C++11, and be linked in every way. */
#include "instrument/mark/flowgauge.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void good(void)
{
    int i;
    flowgauge_epoch_begin(3);
    for (i = 0; i < 100; ++i) {
        flowgauge_step_begin(i);
        flowgauge_phase_begin(FLOWGAUGE_FORWARD);
        flowgauge_phase_end(FLOWGAUGE_FORWARD);
        flowgauge_phase_begin(FLOWGAUGE_BACKWARD);
        flowgauge_phase_end(FLOWGAUGE_BACKWARD);
        if (i == 0) flowgauge_samples(5);                     /* said in pieces, */
        flowgauge_step_end(i, i == 0 ? 0 : i == 1 ? 20 : 32); /* or at the end */
    }
    flowgauge_samples(1);
    flowgauge_epoch_end(3, 0); /* 5 + 20 + 98 * 32 + 1 */
    flowgauge_epoch_begin(4);
    flowgauge_epoch_end(4, 777);
}

static void bad(void)
{
    int i;
    flowgauge_step_end(1, 1); /* never begun: 1 unbalanced */
    flowgauge_epoch_begin(5);
    flowgauge_step_begin(7); /* never ended: 2 */
    flowgauge_phase_begin("mine");
    flowgauge_epoch_end(5, 0);
    for (i = 0; i < 19; ++i) flowgauge_step_begin(1000 + i); /* three too deep */
    for (i = 15; i >= 0; --i) flowgauge_step_end(1000 + i, 1);
}

static double now_ns(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

int main(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "cost") == 0) {
        const int times = 10000000;
        int i;
        const double begin = now_ns();
        for (i = 0; i < times; ++i) flowgauge_samples(1);
        printf("%.2f\n", (now_ns() - begin) / times);
        return 0;
    }
    good();
    bad();
    return 0;
}
