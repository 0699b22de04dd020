// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"
#include "analyzer/report/document.h"

namespace flowgauge::report {

/// What was not measured, what recording cost, and how the figures are made.
[[nodiscard]] Section methodSection(const findings::RunSummary& summary);

}  // namespace flowgauge::report
