// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// An epoch goes at a constant rate below the usual one: something upstream gives so much and no more.
[[nodiscard]] std::optional<findings::Finding> storageCeiling(const Subject& subject);

}  // namespace flowgauge::diagnoses
