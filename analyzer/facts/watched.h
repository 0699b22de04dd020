// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/store/run_store.h"

#include <optional>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// One counter at one place over a whole recording: a gauge by its values, a total by its growth a second (over a second or more each).
struct WatchedCounter {
    std::string host, place;
    Counter counter{};
    double least = 0, mean = 0, most = 0;  ///< in the counter's unit, or that a second
};

/// In order of the counters' families, those that were always 0 left out, and so is what we cost ourselves; or of one family alone. One
/// counter is in memory at a time.
[[nodiscard]] std::vector<WatchedCounter> watchedOf(store::RunStore& store, std::optional<CounterFamily> family = {});

}  // namespace flowgauge::facts
