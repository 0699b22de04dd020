// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/run_store.h"

#include <optional>
#include <string>

namespace flowgauge::facts {

/// Everything the diagnoses may ask of a run, read rank by rank in a few passes over its tracks (marks, communication, GPUs, reads), then a
/// few counters. name: what the report calls the run. window: only what lies in it (run time, ns).
[[nodiscard]] RunFacts factsOf(store::RunStore& store, const std::string& name, std::optional<Interval> window = {});

}  // namespace flowgauge::facts
