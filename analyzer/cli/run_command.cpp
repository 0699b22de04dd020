// SPDX-License-Identifier: MIT
#include "analyzer/cli/analysis.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/remote_options.h"
#include "collector/record/error.h"
#include "collector/record/settings.h"
#include "collector/run/isolated.h"
#include "collector/run/launcher.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace flowgauge::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
    std::string output, kinds, maxSize = "0", spool;
    std::uint32_t sampleMs = 100;
    bool noOutput = false, keepSpools = false;
    remote::Wishes remote;
};

run::Options optionsOf(const RunArguments& arguments, std::vector<std::string> command)
{
    if (command.empty()) throw Error("run", "no program given; `flowgauge run -o run1 -- ./train` records ./train");
    if (command.front().starts_with("-")) throw Error("run", "unknown option ", command.front(), "; `flowgauge run --help` lists them");
    if (const std::string_view unknown = unknownKindWord(arguments.kinds); !unknown.empty())
        throw Error("--kinds", "'", unknown, "' is neither a kind nor a lane; `flowgauge kinds` lists them");
    run::Options options;
    options.output = arguments.output;
    options.library = installedPrefix() / "lib" / "libflowgauge.so";
    if (!fs::exists(options.library)) throw Error(options.library.string(), "the library that records is not beside this program");
    options.pythonFolder = installedPrefix() / "lib" / "python";
    options.spoolRoot = arguments.spool;
    options.samplePeriodMs = arguments.sampleMs;
    options.kinds = arguments.kinds;
    if (!parseSize(arguments.maxSize, options.maxSpoolBytes))
        throw Error("--max-size " + arguments.maxSize, "expected a number of bytes, as 4096, 64M or 2G");
    options.keepOutput = !arguments.noOutput;
    options.keepSpools = arguments.keepSpools;
    options.remote = remote::ordersOf(arguments.remote);
    options.command = std::move(command);
    return options;
}

void answer(const fs::path& runFolder)
{
    open::OpenedRun opened = open::openRun(runFolder);
    if (!opened.store.tracks().empty()) keepAnswers(opened.database, analyse(opened));
}

/// The answers go into the run's tables, so that plain SQL has them. What goes wrong here is told, and changes no exit status: it happens
/// in a process of its own.
void keepAnswersOf(const fs::path& runFolder)
{
    std::error_code ignored;
    if (!fs::exists(runFolder / "run.db", ignored)) return;
    const std::string trouble = run::isolated([&] { answer(runFolder); });
    if (!trouble.empty()) std::fprintf(stderr, "flowgauge: the run was kept, but not analysed: %s\n", trouble.c_str());
}

int record(const RunArguments& arguments, const std::vector<std::string>& command)
{
    const run::Outcome outcome = run::launch(optionsOf(arguments, command));
    keepAnswersOf(outcome.run);
    return run::endAs(outcome);
}

}  // namespace

Action describeRun(CLI::App& command)
{
    const auto arguments = std::make_shared<RunArguments>();
    command.add_option("-o", arguments->output, "the run's directory; without it flowgauge-<date>-<n>");
    command.add_option("--sample", arguments->sampleMs, "period of the samplers in ms; 0 switches them off")->capture_default_str();
    command.add_option("--kinds", arguments->kinds, "record only these kinds or lanes, comma separated (`flowgauge kinds`)");
    command.add_option("--max-size", arguments->maxSize, "most bytes of spool that one process may write, as 64M or 2G; 0: no limit");
    command.add_option("--spool", arguments->spool, "where spools are kept during the run: a disk of the node");
    command.add_flag("--no-output", arguments->noOutput, "do not keep what the job prints");
    command.add_flag("--keep-spools", arguments->keepSpools, "leave the spools after they were stored");
    addRemoteOptions(command, arguments->remote);
    command.prefix_command();  // everything from the first word on is the job
    CLI::App* app = &command;
    return [arguments, app] { return record(*arguments, app->remaining()); };
}

}  // namespace flowgauge::cli
