// SPDX-License-Identifier: MIT
#include "analyzer/facts/run.h"

#include "analyzer/facts/clock_exchanges.h"
#include "analyzer/facts/communication_facts.h"
#include "analyzer/facts/embedded_sql.h"
#include "analyzer/facts/fetched.h"
#include "analyzer/facts/gpu_facts.h"
#include "analyzer/facts/log/read_log.h"
#include "analyzer/facts/port_traffic.h"
#include "analyzer/facts/read_facts.h"

#include <algorithm>
#include <set>

namespace flowgauge::facts {
namespace {

/// Processes that recorded anything but counters.
std::vector<store::Id> activeProcesses(store::RunStore& store)
{
    std::vector<store::Id> active;
    for (const store::TrackRow& track : store.tracks())
        if (track.key.lane != Lane::Counter && track.key.process != 0) active.push_back(track.key.process);
    return active;
}

Layout layoutOf(store::RunStore& store, std::optional<Interval> window)
{
    Layout layout;
    layout.groups = groupProcesses(store.processes(), activeProcesses(store));
    layout.groupOf = groupOfProcess(layout.groups);
    layout.window = window;
    return layout;
}

std::string hostName(const std::vector<store::HostRow>& hosts, store::Id id)
{
    const auto found = std::find_if(hosts.begin(), hosts.end(), [id](const store::HostRow& host) { return host.id == id; });
    return found == hosts.end() ? "unknown host" : found->name;
}

void putRanks(store::RunStore& store, const Layout& layout, RunFacts& run)
{
    const auto hosts = store.hosts();
    std::set<store::Id> working;  // a storage server that is sampled too is no host of the job
    for (const store::ProcessRow& process : store.processes()) working.insert(process.host);
    run.hosts = static_cast<std::int64_t>(working.empty() ? hosts.size() : working.size());
    for (const ProcessGroup& group : layout.groups) {
        const store::ProcessRow& first = group.processes.front();
        RankFacts rank;
        rank.rank = group.rank;
        rank.named = group.named;
        rank.host = hostName(hosts, first.host);
        rank.program = first.program;
        rank.endedNormally = first.ended != "killed" && first.ended != "without goodbye";
        run.ranks.push_back(std::move(rank));
        run.processes += static_cast<std::int64_t>(group.processes.size());
        for (const store::ProcessRow& process : group.processes) run.worldSize = std::max(run.worldSize, process.worldSize.value_or(0));
    }
    if (!run.ranks.empty()) run.program = run.ranks.front().program;
}

void putLog(store::RunStore& store, RunFacts& run, Interval recorded)
{
    std::vector<PrintedLine> lines;
    store::Statement statement = store.database().prepare(sql::logLines);
    while (statement.step()) lines.push_back({statement.integer(0), statement.text(1)});
    run.log = readLog(lines, run.zeroUnixNs, recorded);
}

FoundEpochs epochsOfLogOf(const RunFacts& run, Interval recorded)
{
    FoundEpochs found = epochsOfLog(run.log, recorded);
    if (found.source == EpochSource::None) return found;
    found.perRank.resize(std::max<std::size_t>(run.ranks.size(), 1), found.perRank.front());
    return found;
}

/// The visits of the data set that has most of them: validation files and the like live in other folders.
std::vector<Visit> mainDataSet(store::RunStore& store, std::vector<Visit> visits)
{
    std::unordered_map<std::int64_t, std::string> folders;
    std::unordered_map<std::string, std::int64_t> count;
    for (const Visit& visit : visits) {
        const auto [at, isNew] = folders.try_emplace(visit.file);
        if (isNew) {
            const std::string file = store.nameText(visit.file);
            at->second = file.substr(0, file.rfind('/') == std::string::npos ? 0 : file.rfind('/'));
        }
        ++count[at->second];
    }
    const auto most =
        std::max_element(count.begin(), count.end(), [](const auto& left, const auto& right) { return left.second < right.second; });
    if (most != count.end()) std::erase_if(visits, [&](const Visit& visit) { return folders[visit.file] != most->first; });
    return visits;
}

/// Epochs from the pattern of reads, with their sums; nothing when ranks disagree on how many there are.
void putCoverageEpochs(store::RunStore& store, std::vector<std::vector<Visit>> visits, RunFacts& run)
{
    FoundEpochs found{EpochSource::FileCoverage, {}, 0};
    std::vector<std::vector<CoverageEpoch>> perRank;
    for (std::size_t i = 0; i < run.ranks.size(); ++i) {
        perRank.push_back(epochsOfVisits(mainDataSet(store, std::move(visits[i])), run.ranks[i].extent.end));
        if (perRank.back().empty() || perRank.back().size() != perRank.front().size()) return;
        found.perRank.emplace_back();
        for (const CoverageEpoch& epoch : perRank.back()) found.perRank.back().push_back(epoch.epoch);
    }
    putEpochs(found, run);
    for (std::size_t i = 0; i < run.ranks.size(); ++i) {
        ReadCount inEpochs;
        for (std::size_t epoch = 0; epoch < perRank[i].size(); ++epoch) {
            EpochPart& part = run.ranks[i].epochs[epoch];
            part.reads = perRank[i][epoch].reads;
            part.fetchesFrom = part.when.begin;
            inEpochs += part.reads;
        }
        const ReadSums& all = run.ranks[i].reads;
        const ReadCount rest{all.calls - inEpochs.calls, all.bytes - inEpochs.bytes, all.time - inEpochs.time};
        if (rest.calls > 0) run.ranks[i].readsElsewhere["other files"] = rest;
    }
}

Interval extentOf(const std::vector<RankFacts>& ranks)
{
    Interval extent;
    for (const RankFacts& rank : ranks)
        if (rank.extent != Interval{}) widen(extent, rank.extent);
    return extent;
}

/// Marks say it best, then the job's log, then what it reads.
FoundEpochs announcedEpochs(std::vector<std::vector<MarkedEpoch>> marked, const RunFacts& run)
{
    const bool any = std::any_of(marked.begin(), marked.end(), [](const auto& epochs) { return !epochs.empty(); });
    if (any) return {EpochSource::Marks, std::move(marked), 0};
    return epochsOfLogOf(run, extentOf(run.ranks));
}

/// Of a run of which only a log is left.
Interval extentOf(const LogFacts& log)
{
    Interval extent = log.training.valueOr({});
    for (const LogEpoch& epoch : log.epochs) widen(extent, epoch.when);
    return extent;
}

/// Nothing recorded, and nobody said why.
void putGpuLedger(RunFacts& run)
{
    const bool used = std::any_of(run.ranks.begin(), run.ranks.end(), [](const RankFacts& rank) { return rank.gpu.used; });
    const bool told = std::any_of(run.ledger.begin(), run.ledger.end(), [](const LedgerRow& row) { return row.what == "GPU kernels"; });
    if (!used && !told) run.ledger.push_back({"GPU kernels", "absent", "none was recorded", 0});
}

void putLedger(store::RunStore& store, RunFacts& run)
{
    store::Statement ledger = store.database().prepare(sql::ledger);
    while (ledger.step()) run.ledger.push_back({ledger.text(0), ledger.text(1), ledger.text(2), ledger.integer(3)});
    putGpuLedger(run);
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

RunFacts factsOf(store::RunStore& store, const std::string& name, std::optional<Interval> window)
{
    RunFacts run;
    run.name = name;
    run.zeroUnixNs = store.meta("t_zero").value_or(0);
    Layout layout = layoutOf(store, window);
    putRanks(store, layout, run);
    auto marked = readMarks(store, layout, run.ranks);
    const auto unclear = readGpu(store, layout, readCommunication(store, layout, run.ranks), run.ranks);
    run.clocks = Clocks(run.ranks, {}, readClockExchanges(store));
    putLog(store, run, extentOf(run.ranks));
    run.gpuDirect = gpuDirectOf(store);
    const FoundEpochs epochs = announcedEpochs(std::move(marked), run);
    ReadPass reads(layout, epochs, run.ranks);
    reads.run(store);
    run.extent = run.ranks.empty() ? extentOf(run.log) : extentOf(run.ranks);
    if (epochs.source == EpochSource::None) {
        putCoverageEpochs(store, reads.takeVisits(), run);
    } else {
        putEpochs(epochs, run);
        reads.putReadsOfEpochs(run.ranks);
    }
    if (run.ranks.size() == 1 && run.worldSize <= 1) run.ranks.front().communicationKnown = true;  // there is nobody to talk to
    putFetched(store, layout, run);
    run.network = networkFactsOf(store, run);
    putLedger(store, run);
    for (const std::string& kernel : unclear)
        run.ledger.push_back({"kernel classes", "degraded", "counted as computing, though its name speaks of NCCL: " + kernel, 1});
    return run;
}

}  // namespace flowgauge::facts
