// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "analyzer/findings/network.h"

namespace flowgauge::diagnoses {

/// What the ports of the hosts that train moved, as the report tells it.
[[nodiscard]] findings::Network networkOf(const facts::RunFacts& run);

}  // namespace flowgauge::diagnoses
