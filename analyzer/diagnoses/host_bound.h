// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// The GPU is idle because the host launches its work late.
[[nodiscard]] std::optional<findings::Finding> hostBound(const Subject& subject);

}  // namespace flowgauge::diagnoses
