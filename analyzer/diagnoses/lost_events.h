// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Events that were lost and counted. Heads the report when more than one in a hundred is missing.
[[nodiscard]] std::optional<findings::Finding> lostEvents(const Subject& subject);

}  // namespace flowgauge::diagnoses
