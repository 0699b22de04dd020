// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// What links between hosts twice as fast would save: their bytes are what the exposed time goes to.
[[nodiscard]] std::optional<findings::Finding> slowLink(const Subject& subject);

}  // namespace flowgauge::diagnoses
