// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"
#include "analyzer/mpi/report.h"
#include "collector/record/error.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace flowgauge::mpi {
namespace {

/// Every process reads the same words; one of them complains.
int parseAndReport(const Peers& peers, int count, char** words)
{
    CLI::App app("Says what slowed a run of very many ranks, on several processors or hosts: mpirun -np 8 flowgauge-mpi report run1",
                 "flowgauge-mpi");
    app.require_subcommand(1);
    cli::ReportArguments arguments;
    std::vector<std::string> runs;
    CLI::App* command = app.add_subcommand(
        "report",
        "As flowgauge report. Several RUNs are the parts of one run that each host kept for itself: a process reads those it sees.");
    command->add_option("RUN", runs, "the run's directory or its run.db, or those of all its parts")->required();
    cli::addReportOptions(*command, arguments);
    try {
        app.parse(count, words);
    } catch (const CLI::CallForHelp& help) {
        return peers.isRoot() ? app.exit(help) : cli::exitOk;
    } catch (const CLI::ParseError& error) {
        if (peers.isRoot()) std::fprintf(stderr, "flowgauge-mpi: %s; `flowgauge-mpi --help` tells more\n", error.what());
        return cli::exitUsage;
    }
    return report(peers, runs, arguments);
}

}  // namespace
}  // namespace flowgauge::mpi

int main(int count, char** words)
{
    using namespace flowgauge;
    ::setenv("NO_COLOR", "1", 0);  // mpirun hands out a terminal of its own, wherever its output goes
    const mpi::Peers peers(&count, &words);
    try {
        return mpi::parseAndReport(peers, count, words);
    } catch (const Error& error) {
        std::fprintf(stderr, "flowgauge-mpi: process %zu: %s\n", peers.number(), error.what());
        if (peers.size() == 1) return cli::exitUsage;
        mpi::Peers::giveUp(cli::exitUsage);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "flowgauge-mpi: process %zu: %s\n", peers.number(), error.what());
        mpi::Peers::giveUp(cli::exitFailure);
    }
}
