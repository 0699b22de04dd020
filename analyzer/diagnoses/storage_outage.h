// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

[[nodiscard]] std::optional<findings::Finding> storageOutage(const Subject& subject);

}  // namespace flowgauge::diagnoses
