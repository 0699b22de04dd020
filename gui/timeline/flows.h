// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/rank_facts.h"
#include "collector/store/stored_event.h"

#include <vector>

namespace flowgauge::timeline {

/// The call of another rank in the same collective.
struct Partner {
    std::size_t rankAt = 0;  ///< position in the facts
    Interval when;
    bool last = false;  ///< it arrived last: the others waited for it
};

/// All ranks' calls of the collective that an event of one rank belongs to, that rank's own included; empty for what is none.
[[nodiscard]] std::vector<Partner> partnersOf(const std::vector<facts::RankFacts>& ranks, std::size_t rankAt,
                                              const store::StoredEvent& event);

}  // namespace flowgauge::timeline
