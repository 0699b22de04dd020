// SPDX-License-Identifier: MIT
#include "analyzer/mpi/report.h"

#include "analyzer/cli/command.h"
#include "analyzer/mpi/run_head.h"
#include "analyzer/mpi/seen_runs.h"
#include "analyzer/mpi/shared_asked.h"
#include "analyzer/mpi/shared_facts.h"
#include "analyzer/report/units.h"
#include "collector/record/error.h"

#include <algorithm>
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

std::optional<Plan> planOrTell(const Peers& peers, const std::vector<std::string>& runs, const SeenRuns& own)
{
    try {
        return agreedPlan(peers, runs, own);
    } catch (const Error& error) {
        if (peers.isRoot()) std::fprintf(stderr, "flowgauge-mpi: %s\n", error.what());
        return std::nullopt;
    }
}

/// What has all that the whole run has once: its only part where everybody sees that, else a head of all parts, told by one clock.
open::OpenedRun headOf(const Peers& peers, const Plan& plan, SeenRuns& own, const TemporaryFolder& folder)
{
    if (!plan.isJoined()) {
        open::OpenedRun& only = own.opened.at(plan.parts.front().identity);
        return {only.database, only.name, store::RunStore::openForReading(only.database), only.whole, {}};
    }
    for (auto& [identity, part] : own.opened) part.store.countFrom(plan.zeroUnixNs());
    const std::filesystem::path file = writeHead(peers, plan, own, folder);
    const bool whole = std::all_of(plan.parts.begin(), plan.parts.end(), [](const PlacedPart& part) { return part.whole; });
    return {file, "", store::RunStore::openForReading(file), whole, {}};
}

std::string nameOf(const Plan& plan, const std::vector<std::string>& runs)
{
    std::string name = open::nameOfRun(runs[plan.parts.front().run]);
    if (plan.parts.size() > 1) name += " and " + std::to_string(plan.parts.size() - 1) + " more";
    return name;
}

}  // namespace

int report(const Peers& peers, const std::vector<std::string>& runs, const cli::ReportArguments& arguments)
{
    const std::optional<Interval> window = arguments.interval();
    std::optional<SeenRuns> own = openSeen(peers, runs);
    const std::optional<Plan> plan = own ? planOrTell(peers, runs, *own) : std::nullopt;
    if (!plan) return peers.isRoot() ? cli::exitUsage : cli::exitOk;
    const auto begin = Clock::now();
    const TemporaryFolder folder;
    open::OpenedRun head = headOf(peers, *plan, *own, folder);
    Work work{{}, &head.store, nameOf(*plan, runs), window, plan->ranks()};
    for (const Task& task : plan->tasks[peers.number()])
        work.stretches.push_back({&own->opened.at(plan->parts[task.part].identity).store, task.share});
    std::int64_t ranks = 0;
    std::optional<facts::RunFacts> facts = sharedFacts(peers, work, ranks);
    std::optional<std::vector<double>> asked;
    if (plan->isJoined() && arguments.showsCharts())
        asked = sharedAsked(peers, *plan, *own, facts ? facts->extent : Interval{}, cli::chartSlices);
    int status = cli::exitOk;
    if (facts) {
        const cli::Analysis analysis = cli::analysisOf(std::move(*facts), head);
        status = cli::writeReport(head, analysis, arguments, std::move(asked));
    }
    const std::vector<Effort> efforts = peers.gather(effortSince(begin, ranks));
    tell(efforts);
    return status;
}

}  // namespace flowgauge::mpi
