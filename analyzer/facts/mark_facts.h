// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"

namespace flowgauge::facts {

/// An epoch as one rank marked it. open: only its start was seen.
struct MarkedEpoch {
    std::int64_t number = 0;
    Interval when;
    std::uint64_t samples = 0;
    bool open = false;
};

/// One pass over the marks of a group: fills steps, phases, compute, waiting (marked input) and extent of its rank, and finds the
/// threads that train. Returns the marked epochs, in order of time.
[[nodiscard]] std::vector<MarkedEpoch> readMarks(store::RunStore& store, Layout& layout, std::size_t group, RankFacts& rank);

}  // namespace flowgauge::facts
