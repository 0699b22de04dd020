// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/mpi/peers.h"

#include <string>
#include <vector>

namespace flowgauge::mpi {

/// What one process reads of a run.
struct Work {
    struct Stretch {
        store::RunStore* store;
        facts::Share share;
    };
    std::vector<Stretch> stretches;
    store::RunStore* head = nullptr;  ///< has what the whole run has once; the same of all processes
    std::string name;
    std::optional<Interval> window;
    std::size_t ranks = 0;  ///< of the whole run
};

/// As facts::factsOf, but each process reads its share of the ranks, and hands them to the root one by one. All processes call it with
/// their work on the same run; only the root gets the facts, the others nothing. count becomes how many ranks this process looked at.
[[nodiscard]] std::optional<facts::RunFacts> sharedFacts(const Peers& peers, const Work& work, std::int64_t& count);

}  // namespace flowgauge::mpi
