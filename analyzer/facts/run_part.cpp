// SPDX-License-Identifier: MIT
#include "analyzer/facts/run_part.h"

#include "analyzer/facts/communication_facts.h"
#include "analyzer/facts/embedded_sql.h"
#include "analyzer/facts/epoch_coverage.h"
#include "analyzer/facts/epochs.h"
#include "analyzer/facts/fetched.h"
#include "analyzer/facts/gpu_facts.h"
#include "analyzer/facts/host_names.h"
#include "analyzer/facts/log/read_log.h"
#include "analyzer/facts/read_facts.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

/// Processes that recorded anything but counters.
std::vector<store::Id> activeProcesses(const std::vector<store::TrackRow>& tracks)
{
    std::vector<store::Id> active;
    for (const store::TrackRow& track : tracks)
        if (track.key.lane != Lane::Counter && track.key.process != 0) active.push_back(track.key.process);
    return active;
}

std::vector<RankFacts> namedRanks(store::RunStore& store, const Layout& layout)
{
    const auto hosts = store.hosts();
    std::vector<RankFacts> ranks;
    for (const ProcessGroup& group : layout.groups) {
        const store::ProcessRow& first = group.processes.front();
        RankFacts& rank = ranks.emplace_back();
        rank.rank = group.rank;
        rank.named = group.named;
        rank.host = nameOfHost(hosts, first.host);
        rank.program = first.program;
        rank.endedNormally = first.ended != "killed" && first.ended != "without goodbye";
    }
    return ranks;
}

LogFacts logOf(store::RunStore& store, Interval recorded)
{
    std::vector<PrintedLine> lines;
    store::Statement statement = store.database().prepare(sql::logLines);
    while (statement.step()) lines.push_back({statement.integer(0), statement.text(1)});
    return readLog(lines, store.meta("t_zero").value_or(0), recorded);
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

/// A rank's epochs from the pattern of its reads, with their sums.
void putCoverageEpochs(const std::vector<CoverageEpoch>& epochs, RankFacts& rank)
{
    ReadCount inEpochs;
    for (const CoverageEpoch& epoch : epochs) {
        putParts({epoch.epoch}, rank);
        EpochPart& part = rank.epochs.back();
        part.reads = epoch.reads;
        part.fetchesFrom = part.when.begin;
        inEpochs += part.reads;
    }
    const ReadCount rest{rank.reads.calls - inEpochs.calls, rank.reads.bytes - inEpochs.bytes, rank.reads.time - inEpochs.time};
    if (!epochs.empty() && rest.calls > 0) rank.readsElsewhere["other files"] = rest;
}

Agreement knownOf(const std::vector<std::vector<MarkedEpoch>>& marked, const Layout& layout, const std::vector<RankFacts>& ranks)
{
    Agreement known;
    known.epochsMarked = std::any_of(marked.begin(), marked.end(), [](const auto& epochs) { return !epochs.empty(); });
    known.threadsMarked = !layout.trainingThreads.empty();
    for (const RankFacts& rank : ranks)
        if (rank.extent != Interval{}) widen(known.recorded, rank.extent);
    return known;
}

/// Marks say it best, then the job's log; what is read comes last.
FoundEpochs announcedEpochs(std::vector<std::vector<MarkedEpoch>> marked, const LogFacts& log, const Agreement& agreed)
{
    if (agreed.epochsMarked) return {EpochSource::Marks, std::move(marked)};
    FoundEpochs found = epochsOfLog(log, agreed.recorded);
    if (found.source != EpochSource::None) found.perRank.resize(std::max<std::size_t>(marked.size(), 1), found.perRank.front());
    return found;
}

void readReads(store::RunStore& store, const Layout& layout, const FoundEpochs& epochs, RunPart& part)
{
    ReadPass reads(layout, epochs, part.ranks);
    if (!part.ranks.empty()) reads.run(store);
    if (epochs.source == EpochSource::None) {
        auto visits = reads.takeVisits();
        for (std::size_t i = 0; i < part.ranks.size(); ++i)
            putCoverageEpochs(epochsOfVisits(mainDataSet(store, std::move(visits[i])), part.ranks[i].extent.end), part.ranks[i]);
    } else {
        for (std::size_t i = 0; i < part.ranks.size(); ++i) putParts(epochs.perRank[i], part.ranks[i]);
        reads.putReadsOfEpochs(part.ranks);
    }
    part.source = epochs.source == EpochSource::None ? EpochSource::FileCoverage : epochs.source;
}

}  // namespace

Layout layoutOf(store::RunStore& store, std::optional<Interval> window, Share share)
{
    const std::vector<store::TrackRow> tracks = store.tracks();
    std::vector<ProcessGroup> all = groupProcesses(store.processes(), activeProcesses(tracks));
    const auto border = [&](std::size_t part) { return all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / share.parts); };
    Layout layout;
    layout.groups.assign(std::make_move_iterator(border(share.part)), std::make_move_iterator(border(share.part + 1)));
    layout.groupOf = groupOfProcess(layout.groups);
    for (const store::TrackRow& track : tracks)
        if (track.key.lane != Lane::Counter && layout.groupOf.contains(track.key.process)) layout.tracks.push_back(track.id);
    layout.window = window;
    return layout;
}

RunPart partOf(store::RunStore& store, Layout layout, const Agree& agree)
{
    RunPart part;
    part.ranks = namedRanks(store, layout);
    std::vector<std::vector<MarkedEpoch>> marked;
    if (!part.ranks.empty()) {
        marked = readMarks(store, layout, part.ranks);
        part.unclearKernels = readGpu(store, layout, readCommunication(store, layout, part.ranks), part.ranks);
    }
    const Agreement agreed = agree(knownOf(marked, layout, part.ranks));
    layout.threadsMarked = agreed.threadsMarked;
    part.log = logOf(store, agreed.recorded);
    readReads(store, layout, announcedEpochs(std::move(marked), part.log, agreed), part);
    if (!part.ranks.empty()) putFetchedByRank(store, layout, part.ranks);
    return part;
}

}  // namespace flowgauge::facts
