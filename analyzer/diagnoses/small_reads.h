// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// The step waits for data, and meanwhile the time goes into many small calls rather than into bytes.
[[nodiscard]] std::optional<findings::Finding> smallReads(const Subject& subject);

}  // namespace flowgauge::diagnoses
