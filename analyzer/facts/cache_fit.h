// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// In which order the epoch `later` reads the places that the epoch `earlier` read too, by the busiest track of reads; not measured
/// where too few places are read in both, or where it is neither the same order nor a new one.
[[nodiscard]] Measured<ReadOrder> readOrderOf(store::RunStore& store, Interval earlier, Interval later);

/// Of runs on one host with at least two epochs; of several, each host has a part of the data of its own.
/// run: its epochs with what they asked and fetched.
[[nodiscard]] Measured<CacheFit> cacheFitOf(store::RunStore& store, const RunFacts& run);

}  // namespace flowgauge::facts
