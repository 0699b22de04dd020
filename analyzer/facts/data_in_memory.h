// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// How much of the data set lay in memory when the job began to read it, and at the end of each epoch. Hosts are added up by bytes.
/// run: its epochs and its ledger, which holds how it was found out, or why not.
[[nodiscard]] Measured<DataInMemory> dataInMemoryOf(store::RunStore& store, const RunFacts& run);

}  // namespace flowgauge::facts
