// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Ports moved what their links carry, and ranks of their hosts waited meanwhile.
[[nodiscard]] std::optional<findings::Finding> saturatedLink(const Subject& subject);

}  // namespace flowgauge::diagnoses
