// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/storage.h"

#include <cstddef>
#include <string>
#include <vector>

namespace flowgauge::report {

/// What storage systems said of themselves, with a heading; empty without any.
[[nodiscard]] std::vector<std::vector<std::string>> serverRows(const std::vector<findings::ServerRow>& servers);

/// Counters of a recording without a job, with a heading; the last row counts those beyond `most`.
[[nodiscard]] std::vector<std::vector<std::string>> watchedTable(const std::vector<findings::WatchedRow>& rows, std::size_t most);

}  // namespace flowgauge::report
