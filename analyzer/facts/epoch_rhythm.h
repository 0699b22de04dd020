// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/counter_series.h"
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

/// Of a port: stretches in which it moves data, alike in length, between pauses that stand out. Where only counters tell of a job, epochs
/// show so; half as sure as collectives of one's own are, since anybody may have used the port.
[[nodiscard]] std::optional<Rhythm> rhythmOfTraffic(const std::vector<CounterSeries::Rate>& rates);

/// Gives all ranks these epochs; returns their confidence. Nothing for none.
[[nodiscard]] std::optional<double> putEpochs(const std::optional<Rhythm>& rhythm, std::vector<RankFacts>& ranks);

/// Gives each rank the epochs of its rhythm, where all ranks have one and as many of them; returns the lowest confidence. Else changes
/// nothing.
[[nodiscard]] std::optional<double> putRhythmEpochs(std::vector<RankFacts>& ranks);

}  // namespace flowgauge::facts
