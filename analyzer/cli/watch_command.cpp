// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"
#include "analyzer/cli/remote_options.h"
#include "analyzer/facts/questions.h"
#include "collector/record/error.h"
#include "collector/run/launcher.h"

#include <CLI/CLI.hpp>

#include <sys/prctl.h>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>

namespace flowgauge::cli {
namespace {

struct WatchArguments {
    std::string output, spool;
    std::uint32_t sampleMs = 100, seconds = 0;
    bool onlyWait = false;
    remote::Wishes remote;
};

/// The job of a watch: it does nothing until its time is over, or somebody ends it. It does not outlive a watch that crashed.
int wait(std::uint32_t seconds)
{
    sigset_t ends;
    sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
    sigprocmask(SIG_BLOCK, &ends, nullptr);
    (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
    const timespec limit{static_cast<std::time_t>(seconds), 0};
    (void)::sigtimedwait(&ends, nullptr, seconds == 0 ? nullptr : &limit);
    return exitOk;
}

/// The report tells least, mean and most of each counter; its readings are for SQL and the window.
void sayWhatNext(const std::filesystem::path& run)
{
    const std::string shown = run.parent_path() == std::filesystem::current_path() ? run.filename().native() : run.native();
    std::fprintf(stderr, "flowgauge: by SQL: flowgauge query %s \"%s\"; over time: flowgauge-gui %s\n", shown.c_str(),
                 facts::questions::watched, shown.c_str());
}

int watch(const WatchArguments& arguments)
{
    if (arguments.onlyWait) return wait(arguments.seconds);
    run::Options options;
    options.output = arguments.output;
    options.library = installedPrefix() / "lib" / "libflowgauge.so";
    options.spoolRoot = arguments.spool;
    options.samplePeriodMs = arguments.sampleMs;
    options.keepOutput = false;
    options.remote = remote::ordersOf(arguments.remote);
    if (options.samplePeriodMs == 0 && options.remote.empty())
        throw Error("watch", "nothing to watch: --sample is 0, and no server is named");
    options.command = {(installedPrefix() / "bin" / "flowgauge").native(), "watch", "--only-wait", "--for",
                       std::to_string(arguments.seconds)};
    std::fprintf(stderr, "flowgauge: watching this machine%s%s\n", options.remote.empty() ? "" : " and the servers named",
                 arguments.seconds == 0 ? "; Ctrl-C ends it" : "");
    const run::Outcome outcome = run::launch(options);
    if (!outcome.run.empty()) sayWhatNext(outcome.run);
    return outcome.signal == 0 ? outcome.status : exitOk;  // ended before it could wait for its signal: ended as it should be
}

}  // namespace

Action describeWatch(CLI::App& command)
{
    const auto arguments = std::make_shared<WatchArguments>();
    command.add_option("-o", arguments->output, "the run's directory; without it flowgauge-<date>-<n>");
    command.add_option("--for", arguments->seconds, "end after so many seconds; without it at Ctrl-C");
    command.add_option("--sample", arguments->sampleMs, "period of the samplers in ms; 0 switches them off")->capture_default_str();
    command.add_option("--spool", arguments->spool, "where spools are kept meanwhile: a disk of the node");
    command.add_flag("--only-wait", arguments->onlyWait)->group("");  // how it starts itself as its own job
    addRemoteOptions(command, arguments->remote);
    return [arguments] { return watch(*arguments); };
}

}  // namespace flowgauge::cli
