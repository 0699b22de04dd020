// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// One rank that the others wait for: who arrives last at collectives (not who takes longest in them), and what grew before
/// it arrived. Times are comparable on one host; across hosts within the clocks' error.
[[nodiscard]] std::optional<findings::Finding> straggler(const Subject& subject);

}  // namespace flowgauge::diagnoses
