// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "analyzer/open/open_run.h"
#include "analyzer/report/report.h"

#include <filesystem>
#include <optional>

namespace flowgauge::cli {

/// Opens a run, with a progress bar on a terminal, and prints its warnings on stderr, one line each.
[[nodiscard]] open::OpenedRun openWithProgress(const std::filesystem::path& path);

struct Analysis {
    facts::RunFacts facts;
    report::Report report;
};

/// Facts, diagnoses and report of an opened run. Throws Error for a run in which nothing was recorded.
[[nodiscard]] Analysis analyse(open::OpenedRun& run, std::optional<Interval> window = {});

/// Diagnoses and report of facts that are found already. Throws as analyse.
[[nodiscard]] Analysis analysisOf(facts::RunFacts facts, open::OpenedRun& run);

/// Keeps the answers in the run's own tables (epoch, epoch_rank, finding). A run that cannot be written to stays as it is: false.
bool keepAnswers(const std::filesystem::path& database, const Analysis& analysis);

}  // namespace flowgauge::cli
