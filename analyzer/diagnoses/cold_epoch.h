// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// An epoch that fetched its bytes from storage took longer than those that found them in the page cache.
[[nodiscard]] std::optional<findings::Finding> coldEpoch(const Subject& subject);

}  // namespace flowgauge::diagnoses
