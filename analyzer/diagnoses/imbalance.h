// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Ranks take different time for the same work, and not always the same one: the rest waits for the slowest of each step.
[[nodiscard]] std::optional<findings::Finding> imbalance(const Subject& subject);

}  // namespace flowgauge::diagnoses
