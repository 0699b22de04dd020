// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/rank_facts.h"

#include <optional>
#include <vector>

namespace flowgauge::facts {

/// Stretches of traffic between pauses that return after as many steps each time: epochs, or as many epochs together as the job pauses
/// for. Nothing says that they are; so each carries how likely that is.
struct Rhythm {
    std::vector<Interval> stretches;  ///< at least two
    double confidence = 0;            ///< 0..1: the more pauses and the more alike the stretches, the higher
};

/// Of one rank: from its collectives, and where it has none from its steps. Nothing where no pause stands out or they come irregularly.
[[nodiscard]] std::optional<Rhythm> rhythmOf(const RankFacts& rank);

/// Gives each rank the epochs of its rhythm, where all ranks have one and as many of them; returns the lowest confidence. Else changes
/// nothing.
[[nodiscard]] std::optional<double> putRhythmEpochs(std::vector<RankFacts>& ranks);

}  // namespace flowgauge::facts
