// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/collective_math.h"
#include "analyzer/facts/run_facts.h"

#include <span>
#include <vector>

namespace flowgauge::facts {

/// All collectives of one kind, size and manner. A call that its last rank begins is a wait until then, and a transfer from then on.
struct CollectiveFigures {
    Kind kind = Kind::None;
    std::uint64_t bytes = 0;  ///< of one rank, as kinds.def counts them
    std::int64_t ranks = 0, hosts = 1, calls = 0;
    CommManner manner;              ///< as NCCL told it; empty of other libraries
    Nanos wait = 0, transfer = 0;   ///< medians over calls: of the mean wait of a rank, of the longest transfer
    Nanos waited = 0, moved = 0;    ///< sums over ranks and calls
    Measured<double> algbw, busbw;  ///< bytes a second, of the median transfer
    Measured<WireBytes> wire;       ///< of one call, by the formula of what was told; not measured where the algorithm is not
    [[nodiscard]] Nanos spent() const { return waited + moved; }
};

/// True when a rank's call begins in the window.
[[nodiscard]] bool beginsIn(const Meeting& meeting, Interval when);

/// Those of which a call begins in the window, most time first. Bandwidth is not measured where calls are only known as enqueued.
[[nodiscard]] std::vector<CollectiveFigures> collectiveFigures(std::span<const Meeting> meetings, Interval when);

}  // namespace flowgauge::facts
