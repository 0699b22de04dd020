// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// The GPU copies while no kernel runs.
[[nodiscard]] std::optional<findings::Finding> exposedCopies(const Subject& subject);

}  // namespace flowgauge::diagnoses
