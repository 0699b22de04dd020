// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/finding.h"
#include "analyzer/findings/summary.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// The document: what every rendering (text, JSON; later HTML and the window) says.
struct Report {
    findings::RunSummary summary;
    std::vector<findings::Finding> findings;  ///< ranked
    findings::Sentence verdict;
    bool healthy = false;  ///< nothing found that is worth fixing
};

[[nodiscard]] Report buildReport(findings::RunSummary summary, std::vector<findings::Finding> findings);

struct TextStyle {
    bool colour = false;  ///< a terminal, and NO_COLOR is not set
    int width = 100;
};

/// The first screen, and what does not fit on it. Ends with a newline.
[[nodiscard]] std::string textOf(const Report& report, TextStyle style = {});

/// Raise it when a field changes its meaning or goes; new fields may come without.
inline constexpr int jsonSchema = 1;
/// The same as one JSON object, "schema": jsonSchema. Times in ns, shares 0..1; what is not measured is
/// {"not_measured": "why"}.
[[nodiscard]] std::string jsonOf(const Report& report);

}  // namespace flowgauge::report
