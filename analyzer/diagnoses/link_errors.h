// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Ports dropped, damaged or repeated traffic while the job ran.
[[nodiscard]] std::optional<findings::Finding> linkErrors(const Subject& subject);

}  // namespace flowgauge::diagnoses
