// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/interval_set.h"

#include <algorithm>

namespace flowgauge::facts {

/// How many intervals one set of a rank may have, so that memory does not grow with events for ever: sets of more are coarsened. Totals
/// stay exact; where something was is then known to within a cell.
struct PieceLimit {
    /// Of all ranks together, for one set: 32 MiB, of which the diagnoses make a dozen. Runs of ten million events come nowhere near it.
    static constexpr std::size_t mostOfRun = std::size_t{1} << 21U;
    static constexpr std::size_t leastOfRank = std::size_t{1} << 14U;
    static constexpr unsigned finest = 10, coarsest = 50;  ///< cells of 1 µs and of 13 days

    std::size_t most = mostOfRun;
    unsigned cellLog2 = 0;  ///< of the widest cells that were needed; 0: every set is as it was recorded

    [[nodiscard]] static PieceLimit ofRanks(std::size_t ranks)
    {
        return {std::max(leastOfRank, mostOfRun / std::max<std::size_t>(ranks, 1))};
    }

    [[nodiscard]] Nanos cell() const { return cellLog2 == 0 ? 0 : Nanos{1} << cellLog2; }
    void widen() { cellLog2 = std::max(cellLog2 + 1, finest); }

    void keep(IntervalSet& set)
    {
        if (set.size() > most && cellLog2 > 0) set.coarsen(cellLog2);
        while (set.size() > most && cellLog2 < coarsest) {
            widen();
            set.coarsen(cellLog2);
        }
    }
    /// Appends; twice the limit is let stand, so that each interval is coarsened only so often.
    void append(IntervalSet& set, Interval next, Nanos closing = 0)
    {
        set.append(next, closing);
        if (set.size() > 2 * most) keep(set);
    }
};

}  // namespace flowgauge::facts
