// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/storage_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// In which order the epoch `later` reads the places that the epoch `earlier` read too, by the busiest track of reads; not measured
/// where too few places are read in both, or where it is neither the same order nor a new one.
[[nodiscard]] Measured<ReadOrder> readOrderOf(store::RunStore& store, Interval earlier, Interval later);

}  // namespace flowgauge::facts
