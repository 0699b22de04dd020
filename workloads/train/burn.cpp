// SPDX-License-Identifier: MIT
#include "workloads/train/burn.h"
#include <ctime>

namespace flowgauge::workloads {

static double threadCpuSeconds()
{
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void burnCpu(double seconds)
{
    const double until = threadCpuSeconds() + seconds;
    volatile float sink = 1.0F;
    // A few microseconds between looks: the clock is a system call, which a profiler of system calls should not see thousands of.
    while (threadCpuSeconds() < until)
        for (int i = 0; i < 2'000; ++i) sink = sink * 0.999F + 0.5F;
}

}  // namespace flowgauge::workloads
