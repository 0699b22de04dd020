// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/database.h"

#include <string>
#include <vector>

namespace flowgauge::facts {

/// A finding as plain SQL sees it.
struct FindingRow {
    std::string diagnosis, title;
    std::int64_t amountNs = 0;
    double share = 0, gain = 0, gainError = 0;
    std::string text, advice;
};

/// Writes the tables epoch, epoch_rank, reads_elsewhere, finding, log_value, log_rate and evaluation, so that any SQLite has the answers
/// too. Replaces older rows; one transaction. Leaves the journal mode as it is: a finished run stays one file.
void writeSummary(store::Database& database, const RunFacts& run, const std::vector<FindingRow>& findings);

/// Whether the run's epochs were written already.
[[nodiscard]] bool hasSummary(store::Database& database);

}  // namespace flowgauge::facts
