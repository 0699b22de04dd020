// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/snapshot.h"
#include "gui/timeline/row.h"

namespace flowgauge::load {

/// The rows of the timeline: for each host a heading, its counters, and its ranks with their lanes. What was not recorded has no row.
[[nodiscard]] std::vector<timeline::Row> rowsOf(const RunSnapshot& run);

}  // namespace flowgauge::load
