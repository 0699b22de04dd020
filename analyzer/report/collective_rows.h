// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// The collectives as a table, head first, those of most time; the last row counts what is left out. Empty without any.
/// What NCCL told of algorithms, and what a rank then sends for one call, has columns where it told any.
[[nodiscard]] std::vector<std::vector<std::string>> collectiveRows(const std::vector<findings::CollectiveRow>& collectives,
                                                                   std::size_t most);
/// Why a bandwidth in it is a dash, where one is; else "".
[[nodiscard]] std::string bandwidthNote(const std::vector<findings::CollectiveRow>& collectives);

}  // namespace flowgauge::report
