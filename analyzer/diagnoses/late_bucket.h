// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Communication overlaps compute, but for its last reduction, which begins when nothing is left to hide it.
[[nodiscard]] std::optional<findings::Finding> lateBucket(const Subject& subject);

}  // namespace flowgauge::diagnoses
