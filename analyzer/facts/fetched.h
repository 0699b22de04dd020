// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/facts/run_facts.h"

namespace flowgauge::facts {

/// Fills what each epoch asked for and what was fetched for it from storage: the NFS mounts' wire bytes where the data lies on
/// NFS, else the storage reads of the ranks' processes. An epoch's window begins where the one before ended (a loader that
/// reads ahead reads for the next), and leaves out marked evaluations and checkpoints. Where files are mapped, counts page
/// faults instead of bytes asked.
void putFetched(store::RunStore& store, const Layout& layout, RunFacts& run);

/// Processor time of the recorded processes, from their own counters.
[[nodiscard]] Measured<Nanos> processorTime(store::RunStore& store);

/// Share of the processors' time that was idle (waiting for storage included), 0..1, on the host that had least of it.
[[nodiscard]] Measured<double> processorsIdle(store::RunStore& store);

}  // namespace flowgauge::facts
