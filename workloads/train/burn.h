// SPDX-License-Identifier: MIT
#pragma once

namespace flowgauge::workloads {

/// Computes until the calling thread has used that many seconds of CPU time (CLOCK_THREAD_CPUTIME_ID), so that a step's work is the
/// same on a busy machine, where only its duration grows.
void burnCpu(double seconds);

}  // namespace flowgauge::workloads
