// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/stored_event.h"

#include <vector>

namespace flowgauge::timeline {

/// A rank's call in a collective.
struct Partner {
    std::size_t rankAt = 0;  ///< position in the facts
    Interval when;           ///< by the clock of its own host, as it was recorded
    std::size_t call = 0;    ///< position in the rank's collectives
    Nanos came = 0;          ///< its begin by the clock of the event that was asked for
    Nanos doubt = 0;         ///< the truth lies no further from `came` than this; 0 on one host
    bool last = false;       ///< it arrived last: the others waited for it

    [[nodiscard]] bool isPlaced() const { return doubt < facts::ClockOffset::unknown; }
};

/// One collective with all its ranks' calls, and how it was come to.
struct Flow {
    std::vector<Partner> partners;  ///< at least one, in order of rank
    int hop = 1;                    ///< 1: the one that was asked for
    std::size_t from = 0;           ///< position of the flow that the hop began at
    std::size_t via = 0;            ///< position in the facts of the rank that took part in both, one right after the other
};

inline constexpr int mostHops = 8;
inline constexpr std::size_t mostFlows = 64;  ///< where ranks have many communicators, each hop reaches many collectives

/// The collective that an event of one rank belongs to, that rank's own call included, and with each further hop those that its ranks
/// took part in right before and right after: nearest first, each once, no more than `mostFlows`. Empty for what is no collective.
/// hops: 1 for the collective alone.
[[nodiscard]] std::vector<Flow> flowsOf(const facts::RunFacts& run, std::size_t rankAt, const store::StoredEvent& event, int hops);

/// Who came first and last, and how well that is known.
struct Arrivals {
    Partner first, last;
    Nanos apart = 0;
    Nanos doubt = 0;  ///< of `apart`
    [[nodiscard]] bool isSure() const { return doubt < apart; }
};
/// partners: at least two.
[[nodiscard]] Arrivals arrivalsOf(const std::vector<Partner>& partners);

}  // namespace flowgauge::timeline
