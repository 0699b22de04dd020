// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/clocks.h"
#include "collector/store/run_store.h"

#include <vector>

namespace flowgauge::facts {

/// What hosts asked each other during the run; without those whose answering host left no recording, so that its time cannot be placed.
[[nodiscard]] std::vector<ClockExchange> readClockExchanges(store::RunStore& store);

}  // namespace flowgauge::facts
