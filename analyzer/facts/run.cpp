// SPDX-License-Identifier: MIT
#include "analyzer/facts/run.h"

#include "analyzer/facts/cache_fit.h"
#include "analyzer/facts/clock_exchanges.h"
#include "analyzer/facts/data_in_memory.h"
#include "analyzer/facts/embedded_sql.h"
#include "analyzer/facts/epoch_rhythm.h"
#include "analyzer/facts/epochs.h"
#include "analyzer/facts/fetched.h"
#include "analyzer/facts/file_systems.h"
#include "analyzer/facts/host_names.h"
#include "analyzer/facts/outages.h"
#include "analyzer/facts/port_traffic.h"
#include "analyzer/facts/run_part.h"
#include "analyzer/facts/server_rates.h"

#include <algorithm>
#include <set>

namespace flowgauge::facts {
namespace {

/// Processes outside of every rank that did something and crashed: no rank number names them.
void putCrashed(store::RunStore& store, const Layout& layout, RunFacts& run)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    const std::vector<store::Id> active = activeProcesses(store.tracks());
    for (const store::ProcessRow& process : store.processes()) {
        if (!hasCrashed(process) || layout.groupOf.contains(process.id)) continue;
        if (std::find(active.begin(), active.end(), process.id) == active.end()) continue;
        run.crashedUnranked.push_back(process.program + " (process " + std::to_string(process.pid) + " on " +
                                      nameOfHost(hosts, process.host) + ")");
    }
}

/// What the rows of hosts and processes say, whatever they recorded.
void putJob(store::RunStore& store, RunFacts& run)
{
    std::set<store::Id> working;  // a storage server that is sampled too is no host of the job
    for (const store::ProcessRow& process : store.processes()) working.insert(process.host);
    run.hosts = static_cast<std::int64_t>(working.empty() ? store.hosts().size() : working.size());
    const Layout layout = layoutOf(store, {}, {});
    putCrashed(store, layout, run);
    for (const ProcessGroup& group : layout.groups) {
        run.processes += static_cast<std::int64_t>(group.processes.size());
        for (const store::ProcessRow& process : group.processes) run.worldSize = std::max(run.worldSize, process.worldSize.value_or(0));
    }
    if (!run.ranks.empty()) run.program = run.ranks.front().program;
}

Interval extentOf(const std::vector<RankFacts>& ranks)
{
    Interval extent;
    for (const RankFacts& rank : ranks)
        if (rank.extent != Interval{}) widen(extent, rank.extent);
    return extent;
}

bool didNothing(const std::vector<RankFacts>& ranks)
{
    return std::all_of(ranks.begin(), ranks.end(), [](const RankFacts& rank) { return rank.extent == Interval{}; });
}

/// Of a recording without a job: its counters'.
Interval extentOf(store::RunStore& store)
{
    Interval extent;
    for (const store::TrackRow& track : store.tracks())
        if (track.events > 0) widen(extent, track.extent);
    return extent;
}

/// Of a run of which only a log is left.
Interval extentOf(const LogFacts& log)
{
    Interval extent = log.training.valueOr({});
    for (const LogEpoch& epoch : log.epochs) widen(extent, epoch.when);
    return extent;
}

/// Epochs from the pattern of reads are none when ranks disagree on how many there are.
bool disagree(const std::vector<RankFacts>& ranks)
{
    return std::any_of(ranks.begin(), ranks.end(),
                       [&](const RankFacts& rank) { return rank.epochs.empty() || rank.epochs.size() != ranks.front().epochs.size(); });
}

void forgetEpochs(std::vector<RankFacts>& ranks)
{
    for (RankFacts& rank : ranks) {
        rank.epochs.clear();
        rank.readsElsewhere.clear();
    }
}

/// Where nothing tells epochs, the rhythm of traffic is left: of the ranks' collectives, else of the ports.
FoundBy settledSource(EpochSource source, store::RunStore& store, RunFacts& run)
{
    if (source != EpochSource::FileCoverage || !disagree(run.ranks)) return {source};
    forgetEpochs(run.ranks);
    auto confidence = putRhythmEpochs(run.ranks);
    if (!confidence) confidence = putEpochs(rhythmOfTraffic(PortTraffic(store, run).busiest()), run.ranks);
    return confidence ? FoundBy{EpochSource::Rhythm, *confidence} : FoundBy{source};
}

/// Nothing recorded, and nobody said why.
void putGpuLedger(RunFacts& run)
{
    const bool used = std::any_of(run.ranks.begin(), run.ranks.end(), [](const RankFacts& rank) { return rank.gpu.used; });
    const bool told = std::any_of(run.ledger.begin(), run.ledger.end(), [](const LedgerRow& row) { return row.what == "GPU kernels"; });
    if (!used && !told) run.ledger.push_back({"GPU kernels", "absent", "none was recorded", 0});
}

/// What had to be looked at less closely, since there was so much of it.
void putCloseness(RunFacts& run)
{
    Closeness least;
    for (const RankFacts& rank : run.ranks) {
        least.cell = std::max(least.cell, rank.closeness.cell);
        least.everyPlace = std::max(least.everyPlace, rank.closeness.everyPlace);
    }
    if (least.cell > 0)
        run.ledger.push_back({"stretches of time", "degraded",
                              "so many that neighbours closer than " + std::to_string(least.cell) + " ns count as one; totals are exact",
                              least.cell});
    if (least.everyPlace > 1)
        run.ledger.push_back({"epochs by file coverage", "degraded",
                              "one in " + std::to_string(least.everyPlace) + " places of files was looked at", least.everyPlace});
}

void putLedger(store::RunStore& store, RunFacts& run)
{
    store::Statement ledger = store.database().prepare(sql::ledger);
    while (ledger.step()) run.ledger.push_back({ledger.text(0), ledger.text(1), ledger.text(2), ledger.integer(3)});
    putGpuLedger(run);
    putCloseness(run);
    for (const store::ProcessRow& process : store.processes()) {
        run.cost.cpuNs += process.ownCpuNs;
        run.cost.bytes += process.ownBytes;
        run.cost.events += process.events;
    }
    store::Statement loss = store.database().prepare(sql::loss);
    if (loss.step()) run.cost.lost = loss.integer(0);
    run.cost.jobCpuNs = processorTime(store);
    run.processorsIdle = processorsIdle(store);
    run.trouble = troublesOf(store);
}

}  // namespace

RunFacts joinParts(store::RunStore& store, const std::string& name, std::vector<RunPart> parts)
{
    RunFacts run;
    run.name = name;
    run.zeroUnixNs = store.meta("t_zero").value_or(0);
    for (RunPart& part : parts)
        run.ranks.insert(run.ranks.end(), std::make_move_iterator(part.ranks.begin()), std::make_move_iterator(part.ranks.end()));
    std::stable_sort(run.ranks.begin(), run.ranks.end(),
                     [](const RankFacts& left, const RankFacts& right) { return left.rank < right.rank; });
    putJob(store, run);
    run.log = std::move(parts.front().log);
    run.clocks = Clocks(run.ranks, {}, readClockExchanges(store));
    run.gpuDirect = gpuDirectOf(store);
    run.extent = run.ranks.empty() ? extentOf(run.log) : extentOf(run.ranks);
    if (run.extent == Interval{}) run.extent = extentOf(store);
    joinEpochs(settledSource(parts.front().source, store, run), run);
    if (run.ranks.size() == 1 && run.worldSize <= 1) run.ranks.front().communicationKnown = true;  // there is nobody to talk to
    putFetchedByJob(store, run);
    putLedger(store, run);
    run.network = networkFactsOf(store, run);
    run.storage = {outagesOf(store), cacheFitOf(store, run), serverRatesOf(store, run), fileSystemsOf(store), dataInMemoryOf(store, run)};
    if (didNothing(run.ranks))
        run.watched = watchedOf(store);
    else
        run.fabric = watchedOf(store, CounterFamily::Fabric);
    std::set<std::string> unclear;
    for (const RunPart& part : parts) unclear.insert(part.unclearKernels.begin(), part.unclearKernels.end());
    for (const std::string& kernel : unclear)
        run.ledger.push_back({"kernel classes", "degraded", "counted as computing, though its name speaks of NCCL: " + kernel, 1});
    return run;
}

RunFacts factsOf(store::RunStore& store, const std::string& name, std::optional<Interval> window)
{
    PartReader reader(store, layoutOf(store, window, {}));
    std::vector<RunPart> parts;
    parts.push_back(reader.finish(reader.known(), store));
    return joinParts(store, name, std::move(parts));
}

}  // namespace flowgauge::facts
