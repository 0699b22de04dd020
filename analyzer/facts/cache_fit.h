// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// Of runs on one host with at least two epochs; of several, each host has a part of the data of its own. The forecast takes the first
/// epoch's reads, the memory at its end, what the file system reads ahead, and whether a later epoch reads in the same order; what is
/// observed comes from later epochs alone.
/// run: its epochs with what they asked and fetched.
[[nodiscard]] Measured<CacheFit> cacheFitOf(store::RunStore& store, const RunFacts& run);

}  // namespace flowgauge::facts
