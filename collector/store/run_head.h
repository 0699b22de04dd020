// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

namespace flowgauge::store {

/// Adds to `head` what is few of a part of its run: hosts, processes, the ledger, the job's output, all counters, clock exchanges, sums
/// by file; of all other tracks the row without events. So a run whose parts stay where they were recorded has a head that fits through a
/// network. Times become those of the head: it is told in the part's countFrom. Inside a Transaction of head; a part is added once.
void addToHead(RunStore& part, RunStore& head);

}  // namespace flowgauge::store
