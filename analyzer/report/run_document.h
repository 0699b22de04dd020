// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/over_time.h"
#include "analyzer/report/document.h"
#include "analyzer/report/report.h"

namespace flowgauge::report {

/// What only the long forms of a report show.
struct RunCharts {
    findings::OverTime overTime;
    std::vector<findings::EpochPlace> epochs;
};

/// The report of one run for Markdown and HTML: for the one who trains (findings), the one who runs storage and network (charts, bytes
/// by layer), and the one who pays (the first screen).
[[nodiscard]] Document documentOf(const Report& report, const RunCharts& charts);

/// A part's colour.
[[nodiscard]] Paint paintOf(findings::Part part);

}  // namespace flowgauge::report
