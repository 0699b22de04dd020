// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/report/units.h"
#include "collector/foreign/chrome_export.h"
#include "collector/record/error.h"
#include "collector/run/progress_bar.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace flowgauge::cli {
namespace {

struct ExportArguments {
    std::string run, output;
    bool chrome = false;
};

int exportRun(const ExportArguments& arguments)
{
    if (!arguments.chrome) throw Error("export", "no format named; --chrome writes what Perfetto and chrome://tracing open");
    open::OpenedRun run = openWithProgress(arguments.run);
    run::ProgressBar bar("exporting");
    const foreign::ExportedTrace trace = foreign::exportChrome(run.store, arguments.output, [&bar](double share) {
        bar.show(share);
        return true;
    });
    bar.clear();
    std::cout << arguments.output << ": " << report::count(trace.slices) << " slices, " << report::count(trace.counters)
              << " counter values";
    if (trace.moved > 0) std::cout << "; " << report::count(trace.moved) << " slices overlap another one and stand on a row beside it";
    std::cout << '\n';
    return exitOk;
}

}  // namespace

Action describeExport(CLI::App& command)
{
    const auto arguments = std::make_shared<ExportArguments>();
    command.add_option("RUN", arguments->run, "the run's directory or its run.db")->required();
    command.add_flag("--chrome", arguments->chrome, "Chrome JSON, which Perfetto opens (ui.perfetto.dev)");
    command.add_option("-o", arguments->output, "the file that is written; packed where its name ends in .gz")->required();
    return [arguments] { return exportRun(*arguments); };
}

}  // namespace flowgauge::cli
