// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/facts/rank_facts.h"

#include <set>
#include <utility>
#include <vector>

namespace flowgauge::facts {

/// A collective as one thread handed it to NCCL, which had the GPU run it later.
struct QueuedCall {
    store::Id process = 0;
    std::int64_t thread = 0;
    Interval when;
    CollectiveKey key{};
};

/// A rank's communication by whose calls they are.
struct HostCommunication {
    IntervalSet calls;                                        ///< of MPI and whatever else runs on the host
    IntervalSet nccl;                                         ///< of NCCL, as long as they lasted
    std::set<std::pair<store::Id, std::uint64_t>> ncclLinks;  ///< (process, correlation) of kernels that carry one
    std::vector<QueuedCall> queued;                           ///< where calls of CUDA were recorded too
};

/// One pass over a group's collectives and point-to-point calls: fills communication, collectives, commBytes and extent of its rank.
/// MPI_Wait and MPI_Init are not communication of their own: what they wait for has its own event. Returns the
/// same by whose calls they are: on GPUs they are not the communication itself.
[[nodiscard]] HostCommunication readCommunication(store::RunStore& store, const Layout& layout, std::size_t group, RankFacts& rank);

}  // namespace flowgauge::facts
