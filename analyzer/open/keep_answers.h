// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/summary_tables.h"

#include <filesystem>
#include <vector>

namespace flowgauge::open {

/// Keeps the answers in the run's own tables (epoch, epoch_rank, finding). A run that cannot be written to stays as it is: false.
bool keepAnswers(const std::filesystem::path& database, const facts::RunFacts& run, const std::vector<facts::FindingRow>& findings);

}  // namespace flowgauge::open
