// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/mpi/peers.h"

namespace flowgauge::mpi {

/// As facts::factsOf, but each process reads its share of the ranks, and hands them to the root one by one. All processes call it with
/// the same run; only the root gets the facts, the others nothing. count becomes how many ranks this process looked at.
[[nodiscard]] std::optional<facts::RunFacts> sharedFacts(const Peers& peers, store::RunStore& store, const std::string& name,
                                                         std::optional<Interval> window, std::int64_t& count);

}  // namespace flowgauge::mpi
