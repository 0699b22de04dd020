// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

namespace flowgauge::workloads {

/// Samples ready for the model: `samples` pictures in planes (sample, colour, row, column), and their labels.
struct Batch {
    int samples = 0, edgePx = 0;
    std::vector<float> pixels;
    std::vector<std::int64_t> labels;
};

}  // namespace flowgauge::workloads
