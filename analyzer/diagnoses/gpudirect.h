// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Gradients travel through the hosts' memory although GPUs and network could talk directly.
[[nodiscard]] std::optional<findings::Finding> gpuDirect(const Subject& subject);

}  // namespace flowgauge::diagnoses
