// SPDX-License-Identifier: MIT
#include "analyzer/mpi/report.h"

#include "analyzer/cli/command.h"
#include "analyzer/mpi/shared_facts.h"
#include "analyzer/report/units.h"
#include "collector/record/error.h"

#include <chrono>
#include <cstdio>

#include <sys/resource.h>

namespace flowgauge::mpi {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t peakResident()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

Effort effortSince(Clock::time_point begin, std::int64_t ranks)
{
    return {ranks, std::chrono::duration<double>(Clock::now() - begin).count(), peakResident()};
}

void tell(const std::vector<Effort>& efforts)
{
    for (std::size_t i = 0; i < efforts.size(); ++i)
        std::fprintf(stderr, "flowgauge-mpi: process %zu of %zu: %lld ranks in %.2f s, at most %s of memory\n", i, efforts.size(),
                     static_cast<long long>(efforts[i].ranks), efforts[i].seconds, report::asBytes(efforts[i].peakResident).c_str());
}

/// The root opens the run first: what is not stored yet is stored once. Empty for the others.
std::optional<open::OpenedRun> openAsRoot(const Peers& peers, const std::string& path)
{
    if (!peers.isRoot()) return std::nullopt;
    try {
        return cli::openWithProgress(path);
    } catch (const Error& error) {
        std::fprintf(stderr, "flowgauge-mpi: %s\n", error.what());
        return std::nullopt;
    }
}

}  // namespace

int report(const Peers& peers, const cli::ReportArguments& arguments)
{
    const std::optional<Interval> window = arguments.interval();
    std::optional<open::OpenedRun> run = openAsRoot(peers, arguments.run);
    const std::string database = peers.fromRoot(run ? run->database.string() : "");
    if (database.empty()) return peers.isRoot() ? cli::exitUsage : cli::exitOk;
    const auto begin = Clock::now();
    std::int64_t ranks = 0;
    if (!peers.isRoot()) {
        store::RunStore store = store::RunStore::openForReading(database);
        static_cast<void>(sharedFacts(peers, store, "", window, ranks));
        static_cast<void>(peers.gather(effortSince(begin, ranks)));
        return cli::exitOk;
    }
    std::optional<facts::RunFacts> facts = sharedFacts(peers, run->store, run->name, window, ranks);
    const cli::Analysis analysis = cli::analysisOf(std::move(*facts), *run);
    const int status = cli::writeReport(*run, analysis, arguments);
    tell(peers.gather(effortSince(begin, ranks)));
    return status;
}

}  // namespace flowgauge::mpi
