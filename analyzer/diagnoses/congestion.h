// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Ports had data to send and were held back: no credit, or notifications of congestion.
[[nodiscard]] std::optional<findings::Finding> congestion(const Subject& subject);

}  // namespace flowgauge::diagnoses
