// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Processor time of our own threads, as a share of the job's. The hooks' time inside calls is not in it; the benchmarks have it.
[[nodiscard]] std::optional<findings::Finding> ownCost(const Subject& subject);

}  // namespace flowgauge::diagnoses
