// SPDX-License-Identifier: MIT
#include "collector/ingest/process_ingest.h"

#include "collector/ingest/liveness.h"
#include "collector/record/ledger_line.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace flowgauge::ingest {
namespace {

std::string clockKey(const spool::SpoolHeader& header)
{
    return std::string(header.host.data()) + '/' + header.bootId.data() + '/' + std::to_string(static_cast<int>(header.clock));
}

/// A word as a shell would take it.
std::string quoted(std::string_view word)
{
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"$&|;<>()*?[]#~`\\") == std::string_view::npos;
    if (plain) return std::string(word);
    std::string text = "'";
    for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

std::string commandOf(const std::vector<std::string>& environment)
{
    std::string command;
    for (const std::string& text : environment)
        if (text.starts_with("argv=")) command += (command.empty() ? "" : " ") + quoted(std::string_view(text).substr(5));
    return command;
}

/// How fast this machine's TSC runs: 20 ms of measuring, good to some 10 ppm.
double measuredSlope()
{
    chooseClock();
    const ClockAnchor first = readAnchor();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const ClockAnchor second = readAnchor();
    return static_cast<double>(second.rawNs - first.rawNs) / static_cast<double>(second.ticks - first.ticks);
}

}  // namespace

void Batch::commit()
{
    finish();
    m_open.emplace(m_store.database());
}

void Batch::finish()
{
    m_store.flush();
    m_open->commit();
    m_open.reset();
    m_events = 0;
}

ProcessIngest::ProcessIngest(Context context, std::filesystem::path spoolFile)
    : m_context(std::move(context)), m_path(std::move(spoolFile)), m_reader(m_path), m_alive(isAlive(m_reader.header()))
{
    survey();
}

void ProcessIngest::survey()
{
    m_reader.survey(m_alive, [this](const Piece& piece) { m_meta.take(piece); });
    m_anchors = m_meta.anchors();
    const spool::SpoolHeader& header = m_reader.header();
    if (m_anchors.empty()) m_anchors.push_back({header.startTicks, header.startRawNs, header.startRealtimeNs, 0});
    if (const auto slope = ClockLine::slopeOf(m_anchors)) m_context.slopes.emplace(clockKey(header), *slope);
}

/// The host's clock line is fixed by the first anchor that was ever seen of it, so that a later ingest moves nothing.
store::Id ProcessIngest::findHost()
{
    const spool::SpoolHeader& header = m_reader.header();
    for (const store::HostRow& known : m_context.store.hosts()) {
        if (known.name != header.host.data() || known.bootId != header.bootId.data()) continue;
        m_rawToRun = known.rawToRunNs;
        return known.id;
    }
    const ClockAnchor& first = m_anchors.front();
    m_rawToRun = first.realtimeNs - first.rawNs - m_context.tZeroUnixNs;
    return m_context.store.host({0, header.host.data(), header.bootId.data(), m_rawToRun});
}

double ProcessIngest::fallbackSlope()
{
    const spool::SpoolHeader& header = m_reader.header();
    if (header.clock != ClockSource::Tsc) return 1.0;
    const auto known = m_context.slopes.find(clockKey(header));
    if (known != m_context.slopes.end()) return known->second;
    chooseClock();
    if (bootId() == header.bootId.data() && clockSource() == ClockSource::Tsc)
        return m_context.slopes.emplace(clockKey(header), measuredSlope()).first->second;
    const ClockAnchor& last = *std::max_element(m_anchors.begin(), m_anchors.end(), [](auto& a, auto& b) { return a.ticks < b.ticks; });
    if (last.ticks <= header.startTicks) return 1.0;
    return static_cast<double>(last.rawNs - header.startRawNs) / static_cast<double>(last.ticks - header.startTicks);
}

store::ProcessRow ProcessIngest::rowFor(ClockLine& clock, store::Id host) const
{
    const spool::SpoolHeader& header = m_reader.header();
    const auto& environment = m_reader.environment();
    store::ProcessRow row;
    row.host = host;
    row.pid = header.pid;
    row.parentPid = header.parentPid;
    row.processStart = static_cast<std::int64_t>(header.processStart);
    row.spool = spoolName();
    row.program = header.program.data();
    row.command = commandOf(environment);
    row.directory = valueOf(environment, "cwd").value_or("");
    // The launcher may itself run below srun or mpirun, but it is nobody's rank.
    RankFacts rank = row.program == "flowgauge" ? RankFacts{} : rankOf(environment);
    if (m_meta.mpiInit() && static_cast<std::int64_t>(m_meta.mpiInit()->arg[1]) >= 0)
        rank = {static_cast<std::int64_t>(m_meta.mpiInit()->arg[1]), rank.localRank, static_cast<std::int64_t>(m_meta.mpiInit()->arg[0]),
                "mpi"};
    row.rank = rank.rank;
    row.localRank = rank.localRank;
    row.worldSize = rank.worldSize;
    row.rankSource = rank.source;
    row.beginNs = clock.at(header.startTicks);
    setEnd(row, clock);
    return row;
}

void ProcessIngest::setEnd(store::ProcessRow& row, ClockLine& clock) const
{
    const ProcessState& state = m_reader.process();
    row.codeOpens = static_cast<std::int64_t>(state.codeOpens);
    row.codeReads = static_cast<std::int64_t>(state.codeReads);
    row.codeBytes = static_cast<std::int64_t>(state.codeBytes);
    row.codeNs = clock.duration(state.codeTicks);
    row.ownCpuNs = static_cast<std::int64_t>(state.ownCpuNs);
    row.ownBytes = static_cast<std::int64_t>(state.spoolBytes);
    const Ticks last = std::max({state.endedTicks, state.lastSeenTicks, m_meta.lastTicks(), m_reader.header().startTicks});
    if (state.endedTicks != 0) {
        row.ended = "normally";
        row.endNs = clock.at(state.endedTicks);
    } else if (!m_alive) {
        row.ended = wasSeenKilled(row) ? "killed" : "without goodbye";
        row.endNs = clock.at(last);
    }
}

/// The job's first process, which alone the launcher waits for.
bool ProcessIngest::wasSeenKilled(const store::ProcessRow& row) const
{
    const auto& killed = m_context.killed;
    return killed && killed->pid == row.pid && killed->host == m_reader.header().host.data();
}

ProcessOutcome ProcessIngest::take()
{
    const store::Id host = findHost();
    ClockLine clock(m_anchors, fallbackSlope(), m_rawToRun);
    store::ProcessRow row = rowFor(clock, host);
    const store::Id process = m_context.store.process(row);
    NameTable names(m_context.store, m_meta.names());
    EventSorter sorter(m_context.store, {host, process}, clock, names);
    m_next = store::IngestRows(m_context.store.database()).progress(spoolName());

    const bool whole = takeEvents(sorter);
    sorter.handOver();
    row.events = sorter.seen();
    if (whole) (void)m_context.store.process(row);
    putFacts(host, process, sorter);
    putProgress();
    const bool running = m_alive && m_reader.process().endedTicks == 0;
    std::int64_t lost = 0;
    for (const std::uint64_t count : m_reader.process().lost) lost += static_cast<std::int64_t>(count);
    return {sorter.taken(), lost, running, !whole};
}

/// False when the caller asked to stop: what was handed over stays.
bool ProcessIngest::takeEvents(EventSorter& sorter)
{
    bool whole = true;
    std::int64_t counted = 0;
    m_reader.visit([&](const Piece& piece) {
        if (!whole) return;
        std::uint64_t& next = m_next[piece.ring];
        next = sorter.take(piece, next);
        m_context.batch.add(sorter.taken() - counted);
        counted = sorter.taken();
        if (m_context.batch.full()) {
            sorter.handOver();
            putProgress();
            m_context.batch.commit();
        }
        whole = m_context.advance(piece.events.size_bytes());
    });
    return whole;
}

void ProcessIngest::putProgress()
{
    store::IngestRows rows(m_context.store.database());
    for (const auto& [ring, next] : m_next) rows.putProgress(spoolName(), ring, next, m_reader.chunkEnd());
}

void ProcessIngest::putFacts(store::Id host, store::Id process, const EventSorter& sorter)
{
    store::IngestRows rows(m_context.store.database());
    rows.replaceAnchors(process, m_anchors);
    for (const std::string& text : m_reader.environment()) {
        const auto equals = text.find('=');
        if (equals != std::string::npos && !text.starts_with("argv="))
            rows.putEnvironment(process, text.substr(0, equals), text.substr(equals + 1));
    }
    for (const Event& seen : m_meta.communicators()) {
        const auto name =
            std::find_if(m_meta.names().begin(), m_meta.names().end(), [&](const NamedText& text) { return text.key == seen.arg[3]; });
        rows.putCommunicator(
            process, {seen.arg[0], static_cast<std::int64_t>(seen.arg[1]), seen.arg[2], name == m_meta.names().end() ? "" : name->text});
    }
    putLosses(host, process, sorter);
    putNamedFacts(host, process);
}

void ProcessIngest::putLosses(store::Id host, store::Id process, const EventSorter& sorter)
{
    const auto put = [&](std::string_view what, std::string_view state, std::string_view reason, std::int64_t amount) {
        m_context.store.putLedger({host, process, what, state, reason, amount});
    };
    const ProcessState& state = m_reader.process();
    for (const DropReasonRow& row : dropReasonRows)
        if (const std::uint64_t lost = state.lost[static_cast<std::size_t>(row.reason)]; lost > 0)
            put("events", "dropped", row.sqlName, static_cast<std::int64_t>(lost));
    for (const Gap& gap : m_reader.gaps()) {
        const std::string reason =
            "missing from the spool: ring " + std::to_string(gap.ring) + ", from sequence " + std::to_string(gap.first);
        put("events", "dropped", reason, static_cast<std::int64_t>(gap.count));
    }
    if (sorter.unknown() > 0) put("events", "dropped", "kinds that this build does not know", sorter.unknown());
    if (!state.known) put("rings", "absent", "no usable .rings file: what the spool had not yet, and the counts of losses, are missing", 1);
    if (m_reader.header().clock != ClockSource::Tsc) put("clock", "degraded", "CLOCK_MONOTONIC: the kernel does not trust the TSC here", 1);
    for (const std::string& warning : m_reader.warnings()) put("spool", "degraded", warning, 1);
}

/// What the recorded process said of itself, and, where it was its host's sampler, of the host.
void ProcessIngest::putNamedFacts(store::Id host, store::Id process)
{
    for (const NamedText& name : m_meta.names()) {
        std::string_view text = name.text;
        const bool isOfHost = text.starts_with(hostFactMark);
        if (name.nameClass != NameClass::Other || (!isOfHost && !text.starts_with(processFactMark))) continue;
        text.remove_prefix(text.find('\t') + 1);
        const auto state = text.find('\t');
        const auto reason = state == std::string_view::npos ? state : text.find('\t', state + 1);
        if (reason == std::string_view::npos) continue;
        m_context.store.putLedger({host, isOfHost ? store::Id{0} : process, text.substr(0, state),
                                   text.substr(state + 1, reason - state - 1), text.substr(reason + 1), 1});
    }
}

}  // namespace flowgauge::ingest
