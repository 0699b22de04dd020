// SPDX-License-Identifier: MIT
#include "analyzer/cli/report_command.h"

#include "analyzer/cli/command.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/window.h"
#include "analyzer/diagnoses/charts.h"
#include "analyzer/report/run_document.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <unistd.h>

namespace flowgauge::cli {
namespace {

report::TextStyle styleOf(const std::string& output)
{
    const char* noColor = std::getenv("NO_COLOR");  // no-color.org: any value but the empty one
    return {output.empty() && ::isatty(STDOUT_FILENO) == 1 && (noColor == nullptr || *noColor == '\0'), 100};
}

/// One line and exit status 2 for a run whose ranks or spools are not all there: the report is of the others.
int statusOf(const open::OpenedRun& run, const report::Report& report)
{
    if (report.summary.lacksRanks)
        std::fprintf(stderr, "flowgauge: %s: %s; the report is of the others\n", report.summary.name.c_str(),
                     report.summary.remarks.front().c_str());
    return run.whole && !report.summary.lacksRanks ? exitOk : exitUsage;
}

std::string rendered(open::OpenedRun& run, const Analysis& analysis, const ReportArguments& arguments,
                     std::optional<std::vector<double>> asked)
{
    if (arguments.format == "json") return report::jsonOf(analysis.report);
    if (!arguments.showsCharts()) return report::textOf(analysis.report, styleOf(arguments.output));
    if (!asked) asked = facts::askedOver(run.store, analysis.facts.extent, chartSlices);
    const report::RunCharts charts{diagnoses::chartsOf(facts::overTime(run.store, analysis.facts, chartSlices, std::move(*asked))),
                                   diagnoses::placesOf(analysis.facts.epochs)};
    const report::Document document = report::documentOf(analysis.report, charts);
    return render(document, arguments.format);
}

int report(const ReportArguments& arguments)
{
    const std::optional<Interval> window = arguments.interval();
    open::OpenedRun run = openWithProgress(arguments.run);
    return writeReport(run, analyse(run, window), arguments);
}

}  // namespace

std::optional<Interval> ReportArguments::interval() const { return window.empty() ? std::nullopt : std::optional(parseWindow(window)); }

void addReportOptions(CLI::App& command, ReportArguments& arguments)
{
    addFormat(command, arguments.format);
    command.add_option("-o", arguments.output, "write to this file instead of standard output");
    command.add_option("--window", arguments.window, "only this part of the run, in seconds since its begin: 12.5..30");
}

int writeReport(open::OpenedRun& run, const Analysis& analysis, const ReportArguments& arguments, std::optional<std::vector<double>> asked)
{
    writeOutput(rendered(run, analysis, arguments, std::move(asked)), arguments.output);
    if (arguments.window.empty()) keepAnswers(run.database, analysis);
    return statusOf(run, analysis.report);
}

Action describeReport(CLI::App& command)
{
    const auto arguments = std::make_shared<ReportArguments>();
    command.add_option("RUN", arguments->run, "the run's directory or its run.db")->required();
    addReportOptions(command, *arguments);
    return [arguments] { return report(*arguments); };
}

}  // namespace flowgauge::cli
