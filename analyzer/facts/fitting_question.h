// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <string>

namespace flowgauge::facts {

/// Of a few questions to begin with, the first that this run has an answer to: its epochs, else what its calls did, else what its ports
/// moved, else which counters it holds, else what was measured and what was not. Looks at a few rows only. Throws Error.
[[nodiscard]] std::string fittingQuestion(store::RunStore& store);

}  // namespace flowgauge::facts
