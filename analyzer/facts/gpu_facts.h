// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/communication_facts.h"
#include "analyzer/facts/layout.h"

#include <string>
#include <vector>

namespace flowgauge::facts {

/// One pass over the work of GPUs, for ranks that have any: compute becomes the union of kernels that are not communication,
/// communication that of NCCL's kernels and of MPI calls, copy that of copies and fills, whatever was marked on the host. NCCL's
/// calls last on the host until they are queued: their own time counts only where no NCCL kernel was recorded. Finds why GPUs stood idle,
/// where calls were recorded. Collectives take the spans of their kernels (kernel_spans.h). Also the extents of ranks, which reach over all their tracks.
/// Returns names of kernels that speak of NCCL without being known: they count as compute.
std::vector<std::string> readGpu(store::RunStore& store, const Layout& layout, const std::vector<HostCommunication>& host,
                                 std::vector<RankFacts>& ranks);

}  // namespace flowgauge::facts
