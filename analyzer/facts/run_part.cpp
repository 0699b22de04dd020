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
        rank.endedNormally = !hasCrashed(first);
    }
    return ranks;
}

LogFacts logOf(store::RunStore& store, Interval recorded)
{
    std::vector<PrintedLine> lines;
    store::Statement statement = store.database().prepare(sql::logLines);
    while (statement.step()) lines.push_back({statement.integer(0), statement.text(1)});
    LogFacts log = readLog(lines, store.meta("t_zero").value_or(0), recorded);
    if (const auto batch = store.meta("log_batch")) log.takeBatch(*batch);
    return log;
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
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i].extent != Interval{}) widen(known.recorded, ranks[i].extent);
        layout.widenByTracks(i, {Lane::Io, Lane::Socket}, known.recorded);  // reads are looked at last, connections elsewhere
    }
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

void readReads(store::RunStore& store, const Layout& layout, std::size_t group, const FoundEpochs& epochs, RankFacts& rank)
{
    if (epochs.source != EpochSource::None) {
        ReadPass reads(store, layout, group, &epochs.perRank[group], rank);
        reads.run();
        putParts(epochs.perRank[group], rank);
        reads.putReadsOfEpochs();
        return;
    }
    ReadPass reads(store, layout, group, nullptr, rank);
    reads.run();
    rank.closeness.everyPlace = reads.visits().everyPlace();
    putCoverageEpochs(epochsOfVisits(reads.visits().takeMainDataSet(), rank.extent.end), rank);
}

}  // namespace

std::vector<store::Id> activeProcesses(const std::vector<store::TrackRow>& tracks)
{
    std::vector<store::Id> active;
    for (const store::TrackRow& track : tracks)
        if (track.key.lane != Lane::Counter && track.key.process != 0) active.push_back(track.key.process);
    return active;
}

Layout layoutOf(store::RunStore& store, std::optional<Interval> window, Share share)
{
    const std::vector<store::TrackRow> tracks = store.tracks();
    std::vector<ProcessGroup> all = groupProcesses(store.processes(), activeProcesses(tracks));
    const auto border = [&](std::size_t part) { return all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / share.parts); };
    Layout layout;
    layout.groups.assign(std::make_move_iterator(border(share.part)), std::make_move_iterator(border(share.part + 1)));
    layout.groupOf = groupOfProcess(layout.groups);
    layout.tracks.resize(layout.groups.size());
    for (const store::TrackRow& track : tracks) {
        const auto group = layout.groupOf.find(track.key.process);
        if (track.key.lane != Lane::Counter && group != layout.groupOf.end()) layout.tracks[group->second].push_back(track);
    }
    layout.window = window;
    layout.limit = PieceLimit::ofRanks(all.size());
    return layout;
}

Agreement& Agreement::operator+=(const Agreement& other)
{
    epochsMarked |= other.epochsMarked;
    threadsMarked |= other.threadsMarked;
    if (other.recorded != Interval{}) widen(recorded, other.recorded);
    return *this;
}

PartReader::PartReader(store::RunStore& store, Layout layout) : m_store(store), m_layout(std::move(layout))
{
    m_part.ranks = namedRanks(store, m_layout);
    GpuReader gpu(store, m_layout);
    for (std::size_t i = 0; i < m_part.ranks.size(); ++i) {  // rank by rank: what is only needed on the way is kept of one at a time
        RankFacts& rank = m_part.ranks[i];
        m_marked.push_back(readMarks(store, m_layout, i, rank));
        gpu.read(i, readCommunication(store, m_layout, i, rank), rank);
    }
    m_part.unclearKernels = gpu.unclear();
    readGroups(store, m_layout, m_part.ranks);
    m_known = knownOf(m_marked, m_layout, m_part.ranks);
}

RunPart PartReader::finish(const Agreement& agreed, store::RunStore& head)
{
    m_layout.threadsMarked = agreed.threadsMarked;
    m_part.log = logOf(head, agreed.recorded);
    const FoundEpochs epochs = announcedEpochs(std::move(m_marked), m_part.log, agreed);
    m_part.source = epochs.source == EpochSource::None ? EpochSource::FileCoverage : epochs.source;
    for (std::size_t i = 0; i < m_part.ranks.size(); ++i) readReads(m_store, m_layout, i, epochs, m_part.ranks[i]);
    if (!m_part.ranks.empty()) putFetchedByRank(m_store, m_layout, m_part.ranks);
    return std::move(m_part);
}

}  // namespace flowgauge::facts
