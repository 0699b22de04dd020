// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/mpi/peers.h"
#include "analyzer/mpi/placed_part.h"

#include <vector>

namespace flowgauge::mpi {

/// As facts::askedOver of the whole run, whose reads lie in its parts: each part's comes from the process that reads it first. All
/// processes call it; `when` counts at the root alone, and only the root gets an answer. own: what this process sees, counted from the
/// plan's zero.
[[nodiscard]] std::vector<double> sharedAsked(const Peers& peers, const Plan& plan, SeenRuns& own, Interval when, std::size_t slices);

}  // namespace flowgauge::mpi
