// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Ports had data to send and no credit to send it.
[[nodiscard]] std::optional<findings::Finding> congestion(const Subject& subject);

}  // namespace flowgauge::diagnoses
