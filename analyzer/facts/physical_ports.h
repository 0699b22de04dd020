// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/network_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// Ethernet ports whose drivers tell their bytes, beside what their interfaces show.
[[nodiscard]] std::vector<PhysicalPort> physicalPortsOf(store::RunStore& store);

}  // namespace flowgauge::facts
