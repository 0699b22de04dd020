// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"

#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/diagnoses/summary.h"
#include "analyzer/facts/run.h"
#include "analyzer/facts/summary_tables.h"
#include "analyzer/report/units.h"
#include "collector/ingest/run_lock.h"
#include "collector/record/error.h"
#include "collector/run/progress_bar.h"

#include <cstdio>

#include <unistd.h>

namespace flowgauge::cli {

open::OpenedRun openWithProgress(const std::filesystem::path& path)
{
    run::ProgressBar bar("storing what was recorded");
    open::OpenedRun run = open::openRun(path, [&bar](double share) {
        bar.show(share);
        return true;
    });
    bar.clear();
    for (const std::string& warning : run.warnings) std::fprintf(stderr, "flowgauge: %s\n", warning.c_str());
    return run;
}

Analysis analyse(open::OpenedRun& run, std::optional<Interval> window)
{
    return analysisOf(facts::factsOf(run.store, run.name, window), run);
}

Analysis analysisOf(facts::RunFacts facts, open::OpenedRun& run)
{
    Analysis analysis{std::move(facts), {}};
    if (run.store.tracks().empty() && analysis.facts.log.empty())
        throw Error(run.database.string(), "the run is empty: no process has read a data file, called MPI or set a mark");
    const diagnoses::Subject subject(analysis.facts);
    analysis.report = report::buildReport(diagnoses::summaryOf(subject), diagnoses::diagnose(subject));
    return analysis;
}

bool keepAnswers(const std::filesystem::path& database, const Analysis& analysis)
{
    if (::access(database.c_str(), W_OK) != 0) return false;
    std::vector<facts::FindingRow> rows;
    for (const findings::Finding& finding : analysis.report.findings)
        rows.push_back({finding.diagnosis, finding.title, finding.amount, finding.share(), finding.gain.value, finding.gain.error,
                        report::sentence(finding.verdict), finding.advice});
    try {
        const ingest::RunLock lock(database.has_parent_path() ? database.parent_path() : ".");
        store::Database written(database, store::Database::Mode::Write);  // not through RunStore: that begins a write-ahead log
        facts::writeSummary(written, analysis.facts, rows);
        return true;
    } catch (const Error&) {
        return false;  // a read-only folder, or somebody else is writing it, perhaps on another host: the report does not depend on it
    }
}

}  // namespace flowgauge::cli
