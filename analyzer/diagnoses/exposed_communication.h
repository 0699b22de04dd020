// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Communication that no compute hides. The gain leaves out what overlap cannot hide: waiting for a late rank (straggler
/// tells that), the last collective of a step, which only backward's end makes ready, and more than there is compute to
/// hide behind. Silent where compute is not known.
[[nodiscard]] std::optional<findings::Finding> exposedCommunication(const Subject& subject);

}  // namespace flowgauge::diagnoses
