// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/window.h"
#include "collector/record/error.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

#include <unistd.h>

namespace flowgauge::cli {
namespace {

struct Arguments {
    std::string run, format = "text", output, window;
};

report::TextStyle styleOf(const std::string& output)
{
    const char* noColor = std::getenv("NO_COLOR");  // no-color.org: any value but the empty one
    return {output.empty() && ::isatty(STDOUT_FILENO) == 1 && (noColor == nullptr || *noColor == '\0'), 100};
}

void write(const std::string& text, const std::string& output)
{
    if (output.empty()) {
        std::cout << text << std::flush;
        return;
    }
    std::ofstream file(output, std::ios::binary);
    file << text << std::flush;
    if (!file) throw Error(output, "cannot be written");
}

/// One line and exit status 2 for a run whose ranks or spools are not all there: the report is of the others.
int statusOf(const open::OpenedRun& run, const report::Report& report)
{
    for (const std::string& remark : report.summary.remarks)
        std::fprintf(stderr, "flowgauge: %s: %s; the report is of the others\n", report.summary.name.c_str(), remark.c_str());
    return run.whole && report.summary.remarks.empty() ? exitOk : exitUsage;
}

int report(const Arguments& arguments)
{
    const std::optional<Interval> window = arguments.window.empty() ? std::nullopt : std::optional(parseWindow(arguments.window));
    open::OpenedRun run = openWithProgress(arguments.run);
    const Analysis analysis = analyse(run, window);
    write(arguments.format == "json" ? report::jsonOf(analysis.report) : report::textOf(analysis.report, styleOf(arguments.output)),
          arguments.output);
    if (!window) keepAnswers(run.database, analysis);
    return statusOf(run, analysis.report);
}

}  // namespace

Action describeReport(CLI::App& command)
{
    const auto arguments = std::make_shared<Arguments>();
    command.add_option("RUN", arguments->run, "the run's directory or its run.db")->required();
    command.add_option("--format", arguments->format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    command.add_option("-o", arguments->output, "write to this file instead of standard output");
    command.add_option("--window", arguments->window, "only this part of the run, in seconds since its begin: 12.5..30");
    return [arguments] { return report(*arguments); };
}

}  // namespace flowgauge::cli
