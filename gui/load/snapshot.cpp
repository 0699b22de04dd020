// SPDX-License-Identifier: MIT
#include "gui/load/snapshot.h"

#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/diagnoses/summary.h"
#include "analyzer/facts/host_names.h"
#include "analyzer/facts/layout.h"
#include "analyzer/facts/run.h"

#include <algorithm>

namespace flowgauge::load {

namespace {

/// As the facts group them: a worker belongs to the rank of the process that started it.
std::unordered_map<store::Id, int> ranksOfProcesses(const RunSnapshot& run, const std::vector<store::TrackRow>& tracks)
{
    std::vector<store::Id> active;
    for (const store::TrackRow& track : tracks)
        if (track.key.lane != Lane::Counter && track.key.process != 0) active.push_back(track.key.process);
    std::unordered_map<store::Id, int> ranks;
    for (const facts::ProcessGroup& group : facts::groupProcesses(run.processes, active))
        for (const store::ProcessRow& process : group.processes) ranks[process.id] = group.rank;
    return ranks;
}

void addTrack(store::RunStore& store, const store::TrackRow& row, const std::unordered_map<store::Id, int>& ranks, RunSnapshot& run)
{
    TrackInfo info;
    info.row = row;
    info.host = facts::nameOfHost(run.hosts, row.key.host);
    for (const store::ProcessRow& process : run.processes) {
        if (process.id != row.key.process) continue;
        info.pid = process.pid;
        info.program = process.program;
    }
    if (const auto found = ranks.find(row.key.process); found != ranks.end()) info.rank = found->second;
    if (row.key.source != 0) info.source = store.nameText(row.key.source);
    if (row.events > 0) facts::widen(run.extent, row.extent);
    run.tracks.push_back(std::move(info));
}

}  // namespace

const TrackInfo* RunSnapshot::track(store::Id id) const
{
    const auto found = std::find_if(tracks.begin(), tracks.end(), [id](const TrackInfo& info) { return info.row.id == id; });
    return found == tracks.end() ? nullptr : &*found;
}

std::int64_t RunSnapshot::events() const
{
    std::int64_t events = 0;
    for (const TrackInfo& info : tracks)
        if (info.row.key.lane != Lane::Counter) events += info.row.events;
    return events;
}

std::vector<int> RunSnapshot::ranks() const
{
    std::vector<int> ranks;
    for (const TrackInfo& info : tracks)
        if (info.rank) ranks.push_back(*info.rank);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

RunSnapshot snapshotOf(store::RunStore& store)
{
    RunSnapshot run;
    run.hosts = store.hosts();
    run.processes = store.processes();
    const std::vector<store::TrackRow> tracks = store.tracks();
    const auto ranks = ranksOfProcesses(run, tracks);
    for (const store::TrackRow& row : tracks) addTrack(store, row, ranks, run);
    run.running = std::any_of(run.processes.begin(), run.processes.end(), [](const auto& process) { return process.ended == "running"; });
    return run;
}

std::shared_ptr<const Analysis> analysisOf(store::RunStore& store, const std::string& name)
{
    auto analysis = std::make_shared<Analysis>();
    analysis->facts = facts::factsOf(store, name);
    const diagnoses::Subject subject(analysis->facts);
    analysis->report = report::buildReport(diagnoses::summaryOf(subject), diagnoses::diagnose(subject));
    for (const diagnoses::RankView& view : subject.ranks) analysis->parts.push_back(view.parts);
    analysis->json = report::jsonOf(analysis->report);
    return analysis;
}

}  // namespace flowgauge::load
