// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/mark_facts.h"
#include "analyzer/facts/run_facts.h"

#include <vector>

namespace flowgauge::facts {

/// The epochs that each rank lived, and who said so.
struct FoundEpochs {
    EpochSource source = EpochSource::None;
    std::vector<std::vector<MarkedEpoch>> perRank;  ///< in order of time
    std::uint64_t samplesPerEpoch = 0;              ///< what a log tells of the whole job; 0: nothing
};

/// Writes each rank's parts and the job's epochs, with shuffle gaps.
void putEpochs(const FoundEpochs& found, RunFacts& run);

}  // namespace flowgauge::facts
