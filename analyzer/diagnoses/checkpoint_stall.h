// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Training stands while the job writes a checkpoint.
[[nodiscard]] std::optional<findings::Finding> checkpointStall(const Subject& subject);

}  // namespace flowgauge::diagnoses
