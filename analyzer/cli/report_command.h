// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/cli/analysis.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace flowgauge::cli {

struct ReportArguments {
    std::string run, format = "text", output, window;
    [[nodiscard]] std::optional<Interval> interval() const;  ///< of window; throws Error for what is no piece of time
    [[nodiscard]] bool showsCharts() const { return format == "markdown" || format == "html"; }
};
void addReportOptions(CLI::App& command, ReportArguments& arguments);  ///< all but the run

/// What a chart can show: as many slices as pixels would let one tell apart.
inline constexpr std::size_t chartSlices = 240;

/// Writes the report where it is wanted, and keeps its answers in the run unless it is of a window. Returns the exit status. asked: by the
/// calls of the whole run in chartSlices slices, where the opened run holds what is few of it alone.
int writeReport(open::OpenedRun& run, const Analysis& analysis, const ReportArguments& arguments,
                std::optional<std::vector<double>> asked = {});

}  // namespace flowgauge::cli
