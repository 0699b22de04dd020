// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// The page cache does not hold the data: later epochs fetch again what earlier ones did.
[[nodiscard]] std::optional<findings::Finding> cacheTooSmall(const Subject& subject);

}  // namespace flowgauge::diagnoses
