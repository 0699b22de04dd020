// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/mpi/peers.h"
#include "analyzer/mpi/placed_part.h"

namespace flowgauge::mpi {

/// Opens of the RUNs what lies on this host; what is not stored yet its first process stores. All processes call it with the same words.
/// Nothing, for all of them, where one could not be read: that was told on standard error by then.
[[nodiscard]] std::optional<SeenRuns> openSeen(const Peers& peers, const std::vector<std::string>& runs);

/// All know what all see. Throws Error, alike in all of them, for RUNs that nobody sees or that are not one run.
[[nodiscard]] Plan agreedPlan(const Peers& peers, const std::vector<std::string>& runs, const SeenRuns& own);

}  // namespace flowgauge::mpi
