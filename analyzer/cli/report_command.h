// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/cli/analysis.h"

#include <string>

namespace CLI {
class App;
}

namespace flowgauge::cli {

struct ReportArguments {
    std::string run, format = "text", output, window;
    [[nodiscard]] std::optional<Interval> interval() const;  ///< of window; throws Error for what is no piece of time
};
void addReportOptions(CLI::App& command, ReportArguments& arguments);  ///< all but the run

/// Writes the report where it is wanted, and keeps its answers in the run unless it is of a window. Returns the exit status.
int writeReport(open::OpenedRun& run, const Analysis& analysis, const ReportArguments& arguments);

}  // namespace flowgauge::cli
