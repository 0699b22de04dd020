// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/over_time.h"
#include "analyzer/findings/over_time.h"

namespace flowgauge::diagnoses {

/// What charts need, without what only facts know.
[[nodiscard]] findings::OverTime chartsOf(facts::OverTime facts);
[[nodiscard]] std::vector<findings::EpochPlace> placesOf(const std::vector<facts::Epoch>& epochs);

}  // namespace flowgauge::diagnoses
