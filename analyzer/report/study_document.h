// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/document.h"
#include "analyzer/study/compare.h"
#include "analyzer/study/study.h"

#include <string>

namespace flowgauge::report {

/// How a job scales, as a scaling study prints it.
[[nodiscard]] Document documentOf(const study::Study& study);
/// What changed between two runs, on one screen.
[[nodiscard]] Document documentOf(const study::Comparison& comparison);

/// "schema": studySchema or comparisonSchema. Times in ns, shares 0..1; what is not measured is {"not_measured": "why"}.
inline constexpr int studySchema = 1;
inline constexpr int comparisonSchema = 1;
[[nodiscard]] std::string jsonOf(const study::Study& study);
[[nodiscard]] std::string jsonOf(const study::Comparison& comparison);

}  // namespace flowgauge::report
