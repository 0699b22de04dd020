// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"

#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/diagnoses/summary.h"
#include "analyzer/facts/run.h"
#include "analyzer/open/keep_answers.h"
#include "analyzer/report/finding_rows.h"
#include "collector/record/error.h"
#include "collector/run/progress_bar.h"

#include <cstdio>

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
    return open::keepAnswers(database, analysis.facts, report::findingRowsOf(analysis.report));
}

}  // namespace flowgauge::cli
