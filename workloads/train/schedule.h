// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace flowgauge::workloads {

/// Learning rate over the run: a straight line up from 0 for the warm-up (Goyal et al. 2017), then (1 - progress)^2 down to 0, the
/// decay of MLPerf's ResNet-50.
struct Schedule {
    double base = 0.1;
    std::uint64_t warmupSteps = 0, steps = 1;

    /// Of a step that counts from 1.
    [[nodiscard]] double rateAt(std::uint64_t step) const;
};

}  // namespace flowgauge::workloads
