// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// The step waits for data that reading does not explain: the loader itself (decoding, augmentation, too few workers) is late.
[[nodiscard]] std::optional<findings::Finding> inputStall(const Subject& subject);

}  // namespace flowgauge::diagnoses
