// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"
#include "workloads/simulate/parameters.h"

#include <vector>

namespace flowgauge::simulate {

/// What the reduction of one bucket costs.
struct Bucket {
    std::int64_t bytes = 0;
    Nanos transfer = 0;     ///< from the last rank's arrival to the end
    double nodeBytes = 0;   ///< leave a node, and enter it
    double readyAfter = 0;  ///< share of backward after which its gradients are there
};

/// The buckets of a step, in order. Ring and hierarchical reductions move 2 (n-1)/n times the bytes, n ranks or nodes.
/// Gradients of the last layers come first: 67 % of ResNet-50's bytes after 20 % of backward, 94 % after 56 %.
[[nodiscard]] std::vector<Bucket> bucketsOf(const Parameters& parameters);

}  // namespace flowgauge::simulate
