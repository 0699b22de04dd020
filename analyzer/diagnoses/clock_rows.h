// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "analyzer/findings/summary.h"

#include <vector>

namespace flowgauge::diagnoses {

/// How each host's clock stands against the first one's; empty for one host.
[[nodiscard]] std::vector<findings::ClockRow> clocksOf(const facts::RunFacts& run);

}  // namespace flowgauge::diagnoses
