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
    Nanos came = 0;          ///< its begin by the clock of the event that was asked for
    Nanos doubt = 0;         ///< the truth lies no further from `came` than this; 0 on one host
    bool last = false;       ///< it arrived last: the others waited for it

    [[nodiscard]] bool isPlaced() const { return doubt < facts::ClockOffset::unknown; }
};

/// All ranks' calls of the collective that an event of one rank belongs to, that rank's own included; empty for what is none.
[[nodiscard]] std::vector<Partner> partnersOf(const facts::RunFacts& run, std::size_t rankAt, const store::StoredEvent& event);

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
