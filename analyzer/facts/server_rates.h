// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// What storage systems that were asked beside the run said of themselves: over the whole run, and over each of its epochs.
[[nodiscard]] std::vector<ServerRates> serverRatesOf(store::RunStore& store, const RunFacts& run);

}  // namespace flowgauge::facts
