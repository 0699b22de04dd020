// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/summary.h"

namespace flowgauge::diagnoses {

/// Where the time of the steps went: sums over steps and ranks. The identity is asserted for every window.
[[nodiscard]] findings::Breakdown breakdownOf(const Subject& subject);

/// All that the first screen says beside the findings.
[[nodiscard]] findings::RunSummary summaryOf(const Subject& subject);

}  // namespace flowgauge::diagnoses
