// SPDX-License-Identifier: MIT
#include "workloads/simulate/run_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flowgauge::simulate {
namespace {

using store::StoredEvent;
using store::TrackKey;

constexpr std::int64_t trainingThread = 1;
constexpr std::int64_t loaderThread = 2;
constexpr std::size_t eventsAtATime = 2048;  ///< of a rank's track before they go to the store

StoredEvent mark(Kind kind, Interval when, std::int64_t numberOrName, std::int64_t samples = 0)
{
    return {when.begin, when.end, 0, kind, 0, {numberOrName, samples, 0, 0}};
}

}  // namespace

RunWriter::RunWriter(const Parameters& parameters, store::RunStore& store)
    : m_parameters(parameters),
      m_store(store),
      m_rows(store.database()),
      m_buckets(bucketsOf(parameters)),
      m_counters(parameters, store),
      m_log(parameters, m_rows)
{
    addNames();
    addNodes();
    addRanks();
    putLabel();
}

void RunWriter::addNames()
{
    m_input = m_store.name("input");
    m_forward = m_store.name("forward");
    m_backward = m_store.name("backward");
    m_optimizer = m_store.name("optimizer");
    m_evaluation = m_store.name("evaluation");
    m_checkpoint = m_store.name("checkpoint");
    for (int i = 0; i < m_parameters.data.files; ++i)
        m_files.push_back(m_store.name(fmt::format("{}/train-{:05}.rec", m_parameters.storage.mount, i)));
}

void RunWriter::addNodes()
{
    for (int i = 0; i < m_parameters.cluster.nodes; ++i) {
        m_hosts.push_back(m_store.host({0, fmt::format("sim-node-{}", i + 1), fmt::format("simulated-{}", i + 1), 0}));
        m_counters.addNode(m_hosts.back());
    }
    m_counters.addStorage(m_store.host({0, "sim-storage", "simulated-storage", 0}));
}

void RunWriter::addRanks()
{
    for (int i = 0; i < m_parameters.ranks(); ++i) {
        const auto node = static_cast<std::size_t>(i / m_parameters.cluster.gpusPerNode);
        Rank rank;
        rank.node = node;
        const auto& missing = m_parameters.missingRanks;
        rank.missing = std::find(missing.begin(), missing.end(), i) != missing.end();
        if (!rank.missing) {
            store::ProcessRow row;
            row.host = m_hosts[node];
            row.pid = 1000 + i;
            row.processStart = i;
            row.spool = fmt::format("simulated-{}", i);
            row.program = "simulated " + m_parameters.model.name;
            row.command = "flowgauge-simulate: " + m_parameters.title;
            row.rank = i;
            row.localRank = i % m_parameters.cluster.gpusPerNode;
            row.worldSize = m_parameters.ranks();
            row.rankSource = "simulated";
            row.ended = "normally";
            rank.process = m_store.process(row);
            m_rows.putCommunicator(rank.process, {worldCommunicator, i, static_cast<std::uint64_t>(m_parameters.ranks()), "world"});
        }
        m_counters.addRank(node, rank.process);
        m_ranks.push_back(std::move(rank));
        Rank& added = m_ranks.back();
        if (added.missing) continue;
        added.marks = trackOf(added, Lane::Mark, trainingThread);
        added.communication = trackOf(added, Lane::Comm, trainingThread);
        added.reads = trackOf(added, Lane::Io, loaderThread);
        if (m_parameters.ranks() > 1) added.reduced.push_back({0, startUp / 2, 0, Kind::MpiInit, flagMpi, {m_parameters.ranks(), i, 0, 0}});
    }
}

void RunWriter::putLabel()
{
    const std::string what = m_parameters.title + ": written by flowgauge-simulate, nothing of it was measured";
    m_store.putLedger({0, 0, "the whole run", "simulated", what, 0});
    if (m_parameters.recording.everyStep > 1)
        m_store.putLedger({0, 0, "steps", "degraded", fmt::format("one of {} steps is written", m_parameters.recording.everyStep),
                           m_parameters.recording.everyStep});
    if (m_parameters.lostEvents > 0) m_store.putLedger({0, 0, "events", "dropped", "ring_full", m_parameters.lostEvents});
    m_rows.putMetaText("simulated", m_parameters.title);
}

store::Id RunWriter::trackOf(const Rank& rank, Lane lane, std::int64_t thread)
{
    TrackKey key;
    key.host = m_hosts[rank.node];
    key.process = rank.process;
    key.thread = thread;
    key.lane = lane;
    return m_store.track(key);
}

Nanos RunWriter::clockOf(std::size_t node, Nanos at) const
{
    double shift = 0;
    for (const Clock& clock : m_parameters.clocks)
        if (static_cast<std::size_t>(clock.node) == node) shift += clock.offsetMs * 1e6 + clock.driftPpm * 1e-6 * static_cast<double>(at);
    return at + std::llround(shift);
}

void RunWriter::step(const StepNumber& number, std::span<const RankStep> ranks)
{
    if (number.epoch != m_epoch) {
        m_epoch = number.epoch;
        m_counters.beginEpoch(m_epoch);
        m_log.beginEpoch(m_epoch, ranks.front().begin);
    }
    m_counters.count(ranks);
    const bool written = number.inEpoch % m_parameters.recording.everyStep == 0 || number.last;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        rank.unwrittenBytes += ranks[i].asked;
        rank.unwrittenFetched += ranks[i].fetched;
        rank.unwrittenReading += ranks[i].reads;
        if (!written || rank.missing) continue;
        writeReads(ranks[i], rank);
        writeStep(number, ranks[i], rank);
    }
}

/// The reads since the last written step, as at most readsPerStep calls that end when this step's batch is there. Those that fetch
/// come first: they take what the wire takes; those from memory share the rest.
void RunWriter::writeReads(const RankStep& step, Rank& rank)
{
    if (rank.unwrittenBytes == 0) return;
    const double request = m_parameters.data.requestKb * 1e3;
    const auto wanted = static_cast<std::int64_t>(std::ceil(static_cast<double>(rank.unwrittenBytes) / request));
    const std::int64_t calls = std::clamp<std::int64_t>(wanted, 1, m_parameters.recording.readsPerStep);
    const double missShare =
        rank.unwrittenBytes > 0 ? static_cast<double>(rank.unwrittenFetched) / static_cast<double>(rank.unwrittenBytes) : 0;
    const auto misses = static_cast<std::int64_t>(std::llround(missShare * static_cast<double>(calls)));
    const double fromMemory = static_cast<double>(rank.unwrittenBytes - rank.unwrittenFetched) / 5.0;  // ns
    const double missTime = static_cast<double>(rank.unwrittenReading) - fromMemory;
    const Nanos until = step.load.begin + step.reads;
    Nanos at = until - rank.unwrittenReading;
    for (std::int64_t call = 0; call < calls; ++call) {
        const double share = misses == 0 || misses == calls ? static_cast<double>(rank.unwrittenReading) / static_cast<double>(calls)
                             : call < misses                ? missTime / static_cast<double>(misses)
                                                            : fromMemory / static_cast<double>(calls - misses);
        const Nanos took = std::min(until - at, static_cast<Nanos>(std::llround(share)));
        const std::int64_t bytes = rank.unwrittenBytes * (call + 1) / calls - rank.unwrittenBytes * call / calls;
        const double perFile = m_parameters.data.bytes / m_parameters.data.files;
        const auto file = static_cast<std::size_t>(rank.position / perFile) % m_files.size();
        const auto offset = std::llround(std::fmod(rank.position, perFile));
        rank.read.push_back({clockOf(rank.node, at),
                             clockOf(rank.node, at + took),
                             0,
                             Kind::FileRead,
                             flagPositional,
                             {m_files[file], offset, bytes, bytes}});
        rank.position += static_cast<double>(bytes);
        at += took;
    }
    rank.unwrittenBytes = rank.unwrittenFetched = rank.unwrittenReading = 0;
}

void RunWriter::writeStep(const StepNumber& number, const RankStep& step, Rank& rank)
{
    const auto at = [&](Nanos begin, Nanos end) { return Interval{clockOf(rank.node, begin), clockOf(rank.node, end)}; };
    const auto phase = [&](store::Id name, Nanos begin, Nanos end) {
        if (end > begin) rank.marked.push_back(mark(Kind::PhaseMark, at(begin, end), name));
    };
    const Nanos reduced = step.calls.empty() ? step.backward : std::max(step.backward, step.calls.back().end);
    phase(m_input, step.begin, step.fed);
    phase(m_forward, step.fed, step.forward);
    phase(m_backward, step.forward, step.backward);
    phase(m_optimizer, reduced, step.end);
    rank.marked.push_back(mark(Kind::StepMark, at(step.begin, step.end), number.inRun, m_parameters.model.batchPerGpu));
    const auto flags = static_cast<std::uint16_t>(m_parameters.model.overlap ? flagMpi | flagNonblocking : flagMpi);
    for (std::size_t b = 0; b < step.calls.size(); ++b) {
        const Interval when = at(step.calls[b].begin, step.calls[b].end);
        const std::int64_t sequence = number.inRun * static_cast<std::int64_t>(m_buckets.size()) + static_cast<std::int64_t>(b);
        rank.reduced.push_back({when.begin, when.end, 0, Kind::Allreduce, flags, {worldCommunicator, m_buckets[b].bytes, sequence, -1}});
    }
    if (rank.marked.size() > eventsAtATime || rank.read.size() > eventsAtATime) flush(rank);
}

void RunWriter::flush(Rank& rank)
{
    if (rank.missing) return;
    m_store.append(rank.marks, rank.marked);
    m_store.append(rank.communication, rank.reduced);
    m_store.append(rank.reads, rank.read);
    rank.marked.clear();
    rank.reduced.clear();
    rank.read.clear();
}

void RunWriter::border(const Border& border)
{
    const std::int64_t perRank = m_parameters.steps() * m_parameters.model.batchPerGpu;
    for (Rank& rank : m_ranks) {
        if (rank.missing) continue;
        const auto on = [&](Interval when) { return Interval{clockOf(rank.node, when.begin), clockOf(rank.node, when.end)}; };
        if (m_parameters.recording.epochMarks) rank.marked.push_back(mark(Kind::EpochMark, on(border.training), border.epoch, perRank));
        if (!border.evaluation.empty()) rank.marked.push_back(mark(Kind::PhaseMark, on(border.evaluation), m_evaluation));
        if (!border.checkpoint.empty()) rank.marked.push_back(mark(Kind::PhaseMark, on(border.checkpoint), m_checkpoint));
    }
    m_log.endEpoch(border);
}

void RunWriter::end(Nanos at)
{
    m_log.endRun(at - startUp / 10);
    for (Rank& rank : m_ranks) {
        if (rank.missing) continue;
        if (m_parameters.ranks() > 1)
            rank.reduced.push_back({clockOf(rank.node, at - startUp / 20), clockOf(rank.node, at), 0, Kind::MpiFinalize, flagMpi, {}});
        flush(rank);
    }
    m_counters.write(at);
}

}  // namespace flowgauge::simulate
