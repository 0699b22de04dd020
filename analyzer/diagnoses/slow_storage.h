// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// The step waits for data, and meanwhile reads wait for storage: they take longer than a copy out of memory would.
[[nodiscard]] std::optional<findings::Finding> slowStorage(const Subject& subject);

}  // namespace flowgauge::diagnoses
