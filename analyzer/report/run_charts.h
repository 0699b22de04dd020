// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/run_document.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// The run over time: bytes by layer, what ports moved, parts of the steps. Epochs and the findings' evidence are bands on each.
[[nodiscard]] std::vector<Chart> chartsOf(const Report& report, const RunCharts& charts);

/// What a piece of a finding's evidence is called, so that a card can point at its band.
[[nodiscard]] std::string evidenceId(std::size_t finding, std::size_t place);

}  // namespace flowgauge::report
