// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "analyzer/findings/storage.h"

#include <vector>

namespace flowgauge::diagnoses {

/// What the report says of storage beside the findings: each epoch's source, storage's and the gradients' part of the ports, the cache
/// beside its forecast, times without an answer, what storage systems said of themselves.
[[nodiscard]] findings::Storage storageOf(const facts::RunFacts& run);

[[nodiscard]] std::vector<findings::WatchedRow> watchedRowsOf(const std::vector<facts::WatchedCounter>& counters);

}  // namespace flowgauge::diagnoses
