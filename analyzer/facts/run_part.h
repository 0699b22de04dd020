// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/facts/run_facts.h"

#include <functional>

namespace flowgauge::facts {

/// What all parts of a run must know of one another before they look at reads.
struct Agreement {
    bool epochsMarked = false;   ///< a rank marked an epoch
    bool threadsMarked = false;  ///< a thread marked anything: then no other thread trains
    Interval recorded;           ///< from the first to the last event of a rank; empty without any
};
/// Joins what one part knows with what the others know; called once by each part.
using Agree = std::function<Agreement(const Agreement&)>;

/// What is found out of each rank by itself.
struct RunPart {
    std::vector<RankFacts> ranks;  ///< of the share, in order of rank
    LogFacts log;                  ///< of the whole run
    EpochSource source = EpochSource::None;
    std::vector<std::string> unclearKernels;  ///< see readGpu
};

/// Reads the share's ranks, in four passes over their tracks alone (marks, communication, GPU, reads).
[[nodiscard]] RunPart partOf(store::RunStore& store, Layout layout, const Agree& agree);

/// The whole run from all of its parts, in order of share. Reads what is few: the log, counters of hosts, the ledger.
[[nodiscard]] RunFacts joinParts(store::RunStore& store, const std::string& name, std::vector<RunPart> parts);

}  // namespace flowgauge::facts
