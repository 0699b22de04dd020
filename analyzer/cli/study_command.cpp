// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/published_file.h"
#include "analyzer/diagnoses/charts.h"
#include "analyzer/report/study_document.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace flowgauge::cli {
namespace {

struct StudyArguments {
    std::vector<std::string> runs;
    std::string format = "text", output, beside;
};

/// Short epochs must not vanish between two slices.
constexpr std::size_t studySlices = 480;

int study(const StudyArguments& arguments)
{
    std::vector<study::Member> members;
    for (const std::string& path : arguments.runs) {
        open::OpenedRun run = openWithProgress(path);
        const Analysis analysis = analyse(run);
        const diagnoses::Subject subject(analysis.facts);
        members.push_back(study::memberOf(subject, diagnoses::chartsOf(facts::overTime(run.store, analysis.facts, studySlices))));
    }
    study::Study result = study::studyOf(std::move(members));
    if (!arguments.beside.empty()) result.published = readPublished(arguments.beside);
    const std::string text = arguments.format == "json" ? report::jsonOf(result) : render(report::documentOf(result), arguments.format);
    writeOutput(text, arguments.output);
    return exitOk;
}

}  // namespace

Action describeStudy(CLI::App& command)
{
    const auto arguments = std::make_shared<StudyArguments>();
    command.add_option("RUN", arguments->runs, "runs of one job on different numbers of nodes, in any order")->required();
    addFormat(command, arguments->format);
    command.add_option("--beside", arguments->beside, "a file of published figures to show beside (samples/studies/first_published.json)");
    command.add_option("-o", arguments->output, "write to this file instead of standard output");
    return [arguments] { return study(*arguments); };
}

}  // namespace flowgauge::cli
