// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"

namespace flowgauge::facts {

/// One pass over collectives and point-to-point calls: fills communication, collectives, commBytes and extent of each rank.
/// MPI_Wait and MPI_Init are not communication of their own: what they wait for has its own event.
void readCommunication(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks);

}  // namespace flowgauge::facts
