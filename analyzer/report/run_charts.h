// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/run_document.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// The run over time: bytes by layer, what ports moved, parts of the steps. Epochs and the findings' evidence are bands on each.
[[nodiscard]] std::vector<Chart> chartsOf(const Report& report, const RunCharts& charts);

/// The lines of a chart of bytes by layer, and of one of what the hosts' ports moved, with their names and colours.
[[nodiscard]] std::vector<Series> linesOfLayers(const findings::OverTime& time);
[[nodiscard]] std::vector<Series> linesOfPorts(const findings::OverTime& time);

/// What a piece of a finding's evidence is called, so that a card can point at its band.
[[nodiscard]] std::string evidenceId(std::size_t finding, std::size_t place);

}  // namespace flowgauge::report
