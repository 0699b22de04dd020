// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Time between the last collective of an epoch and the first of the next, less what always lies between two steps and less
/// marked evaluation and checkpoints.
[[nodiscard]] std::optional<findings::Finding> shuffleGap(const Subject& subject);

}  // namespace flowgauge::diagnoses
