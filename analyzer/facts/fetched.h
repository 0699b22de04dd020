// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/facts/run_facts.h"

namespace flowgauge::facts {

/// Fills what each rank asked for in each of its epochs and what its processes read for it from storage. An epoch's window begins
/// where the one before ended (a loader that reads ahead reads for the next), and leaves out marked evaluations and checkpoints.
/// Where files are mapped, counts page faults instead of bytes asked.
void putFetchedByRank(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks);

/// The same of the job, from the ranks': but the mounts' wire bytes where the data lies on NFS or a parallel file system that tells them.
void putFetchedByJob(store::RunStore& store, RunFacts& run);

/// Processor time of the recorded processes, from their own counters.
[[nodiscard]] Measured<Nanos> processorTime(store::RunStore& store);

/// Share of the processors' time that was idle (waiting for storage included), 0..1, on the host that had least of it.
[[nodiscard]] Measured<double> processorsIdle(store::RunStore& store);

}  // namespace flowgauge::facts
