// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Time that all ranks together spend in a marked phase and not in training steps, as a finding without words: amount, out of the run,
/// evidence; nothing where there is none. keeps: the share of it that a better way would leave.
[[nodiscard]] std::optional<findings::Finding> namedStall(const Subject& subject, facts::Phase phase, double keeps);

}  // namespace flowgauge::diagnoses
