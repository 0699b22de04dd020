// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// One epoch takes far longer than the others, and it is not the first.
[[nodiscard]] std::optional<findings::Finding> unusualEpoch(const Subject& subject);

}  // namespace flowgauge::diagnoses
