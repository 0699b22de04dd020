// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/output.h"
#include "analyzer/report/study_document.h"
#include "analyzer/report/units.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace flowgauge::cli {
namespace {

struct ComparisonArguments {
    std::string before, after, format = "text", output;
    double failAbove = -1;  ///< percent; below 0: never
};

/// A run with what refers to it.
struct Opened {
    explicit Opened(const std::string& path) : run(openWithProgress(path)), analysis(analyse(run)), subject(analysis.facts) {}
    open::OpenedRun run;
    Analysis analysis;
    diagnoses::Subject subject;
    [[nodiscard]] study::Side side() const { return {subject, analysis.report.summary, analysis.report.findings}; }
};

int compare(const ComparisonArguments& arguments)
{
    const Opened before(arguments.before);
    const Opened after(arguments.after);
    const study::Comparison comparison = study::compare(before.side(), after.side());
    writeOutput(arguments.format == "json" ? report::jsonOf(comparison) : render(report::documentOf(comparison), arguments.format),
                arguments.output);
    if (arguments.failAbove < 0 || comparison.slower() * 100 <= arguments.failAbove) return exitOk;
    std::fprintf(stderr, "flowgauge: %s is %s slower, more than the %g %% of --fail-slower\n", comparison.after.c_str(),
                 report::share(comparison.slower()).c_str(), arguments.failAbove);
    return exitSlower;
}

}  // namespace

Action describeCompare(CLI::App& command)
{
    const auto arguments = std::make_shared<ComparisonArguments>();
    command.add_option("BEFORE", arguments->before, "the run to compare with")->required();
    command.add_option("AFTER", arguments->after, "the run that may have changed")->required();
    addFormat(command, arguments->format);
    command.add_option("-o", arguments->output, "write to this file instead of standard output");
    command
        .add_option("--fail-slower", arguments->failAbove,
                    "for CI: exit status 3 when the second run is slower by more than so many percent, beyond noise")
        ->check(CLI::NonNegativeNumber);
    return [arguments] { return compare(*arguments); };
}

}  // namespace flowgauge::cli
