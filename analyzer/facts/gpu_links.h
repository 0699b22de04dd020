// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/collective_figures.h"
#include "analyzer/facts/network_facts.h"
#include "collector/store/run_store.h"

#include <vector>

namespace flowgauge::facts {

/// The links of every GPU that NVML told of and that moved anything or told its rate, in order of host, GPU and kind.
[[nodiscard]] std::vector<GpuLink> gpuLinksOf(store::RunStore& store);

/// How much of the link that carries it a collective uses, 0..1: what is sent for one call in the time of its median transfer, against the
/// slowest link of its kind. On one host that is a GPU's NVLinks together, or its PCIe link where it has none; between hosts the RDMA
/// ports of a host together, or its interfaces where it has none. Not measured (why) where bytes or rate are not known.
[[nodiscard]] Measured<double> linkUseOf(const CollectiveFigures& figures, const NetworkFacts& network);

}  // namespace flowgauge::facts
