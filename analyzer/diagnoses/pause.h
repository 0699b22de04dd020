// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>

namespace flowgauge::diagnoses {

/// Time within epochs in which all ranks stand at once, less marked or logged evaluation and checkpoints. Each pause has the cause that
/// was recorded, or none.
[[nodiscard]] std::optional<findings::Finding> pauses(const Subject& subject);

}  // namespace flowgauge::diagnoses
