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
};

/// Writes a rank's parts.
void putParts(const std::vector<MarkedEpoch>& epochs, RankFacts& rank);

/// Who told the job's epochs, and how much that is worth, 0..1.
struct FoundBy {
    EpochSource source = EpochSource::None;
    double confidence = 1;
};

/// Writes the job's epochs from those of the ranks, with shuffle gaps; a log's own where no rank was recorded.
void joinEpochs(FoundBy found, RunFacts& run);

}  // namespace flowgauge::facts
