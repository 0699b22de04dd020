// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/summary_tables.h"
#include "analyzer/report/report.h"

#include <vector>

namespace flowgauge::report {

/// The report's findings for the run's own tables.
[[nodiscard]] std::vector<facts::FindingRow> findingRowsOf(const Report& report);

}  // namespace flowgauge::report
