// SPDX-License-Identifier: MIT
// The few things that are plain rows: names, hosts, processes, tracks.
#include "collector/store/kind_columns.h"
#include "collector/store/run_store.h"
#include "collector/store/run_store_state.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

/// Past this many the cache starts anew: a data set of small files has millions of names.
constexpr std::size_t mostCachedNames = 500'000;

void bindOptional(Statement& statement, int parameter, const std::optional<std::int64_t>& value)
{
    if (value) {
        statement.bind(parameter, *value);
    } else {
        statement.bindNull(parameter);
    }
}

std::optional<std::int64_t> optionalInteger(const Statement& statement, int column)
{
    if (statement.isNull(column)) return std::nullopt;
    return statement.integer(column);
}

Id returnedId(Statement& statement)
{
    statement.step();
    const Id id = statement.integer(0);
    statement.run();
    return id;
}

}  // namespace

Id RunStore::name(std::string_view text)
{
    State& state = *m_state;
    std::string key(text);
    if (const auto known = state.nameIds.find(key); known != state.nameIds.end()) return known->second;
    if (state.nameIds.size() >= mostCachedNames) state.nameIds.clear();
    if (!state.findName) state.findName.emplace(state.database, "SELECT id FROM name WHERE text = ?1");
    if (!state.addName) state.addName.emplace(state.database, "INSERT INTO name (text) VALUES (?1) RETURNING id");
    state.findName->bind(1, text);
    const bool there = state.findName->step();
    Id id = there ? state.findName->integer(0) : 0;
    state.findName->reset();
    if (!there) id = returnedId(state.addName->bind(1, text));
    state.nameIds.emplace(std::move(key), id);
    return id;
}

std::string RunStore::nameText(Id name)
{
    State& state = *m_state;
    if (const auto known = state.nameTexts.find(name); known != state.nameTexts.end()) return known->second;
    if (state.nameTexts.size() >= mostCachedNames) state.nameTexts.clear();
    Statement find = database().prepare("SELECT text FROM name WHERE id = ?1");
    find.bind(1, name);
    std::string text = find.step() ? find.text(0) : "(name lost)";
    state.nameTexts.emplace(name, text);
    return text;
}

Id RunStore::host(const HostRow& row)
{
    Statement put = database().prepare(
        "INSERT INTO host (name, boot_id, raw_to_run_ns) VALUES (?1, ?2, ?3) "
        "ON CONFLICT (name, boot_id) DO UPDATE SET raw_to_run_ns = excluded.raw_to_run_ns RETURNING id");
    return returnedId(put.bind(1, row.name).bind(2, row.bootId).bind(3, row.rawToRunNs));
}

std::vector<HostRow> RunStore::hosts()
{
    Statement all = database().prepare("SELECT id, name, boot_id, raw_to_run_ns FROM host ORDER BY id");
    std::vector<HostRow> rows;
    while (all.step()) rows.push_back({all.integer(0), all.text(1), all.text(2), all.integer(3) + m_state->shift});
    return rows;
}

Id RunStore::process(const ProcessRow& row)
{
    Statement put = database().prepare(
        "INSERT INTO process (host_id, pid, parent_pid, process_start, spool, program, command, directory, rank, local_rank, world_size, "
        "rank_source, begin_ns, end_ns, ended, events, code_opens, code_reads, code_bytes, code_ns, own_cpu_ns, own_bytes) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22) "
        "ON CONFLICT (spool) DO UPDATE SET host_id = excluded.host_id, pid = excluded.pid, parent_pid = excluded.parent_pid, "
        "process_start = excluded.process_start, program = excluded.program, command = excluded.command, directory = excluded.directory, "
        "rank = excluded.rank, local_rank = excluded.local_rank, world_size = excluded.world_size, rank_source = excluded.rank_source, "
        "begin_ns = excluded.begin_ns, end_ns = excluded.end_ns, ended = excluded.ended, events = excluded.events, "
        "code_opens = excluded.code_opens, code_reads = excluded.code_reads, code_bytes = excluded.code_bytes, code_ns = excluded.code_ns, "
        "own_cpu_ns = excluded.own_cpu_ns, own_bytes = excluded.own_bytes RETURNING id");
    put.bind(1, row.host).bind(2, row.pid).bind(3, row.parentPid).bind(4, row.processStart);
    put.bind(5, row.spool).bind(6, row.program).bind(7, row.command).bind(8, row.directory);
    bindOptional(put, 9, row.rank);
    bindOptional(put, 10, row.localRank);
    bindOptional(put, 11, row.worldSize);
    put.bind(12, row.rankSource).bind(13, row.beginNs).bind(15, row.ended).bind(16, row.events);
    bindOptional(put, 14, row.endNs);
    put.bind(17, row.codeOpens).bind(18, row.codeReads).bind(19, row.codeBytes).bind(20, row.codeNs);
    put.bind(21, row.ownCpuNs).bind(22, row.ownBytes);
    return returnedId(put);
}

std::vector<ProcessRow> RunStore::processes()
{
    Statement all = database().prepare(
        "SELECT id, host_id, pid, parent_pid, process_start, spool, program, command, directory, rank, local_rank, world_size, "
        "rank_source, "
        "begin_ns, end_ns, ended, events, code_opens, code_reads, code_bytes, code_ns, own_cpu_ns, own_bytes FROM process ORDER BY id");
    std::vector<ProcessRow> rows;
    while (all.step()) {
        ProcessRow row;
        row.id = all.integer(0);
        row.host = all.integer(1);
        row.pid = all.integer(2);
        row.parentPid = all.integer(3);
        row.processStart = all.integer(4);
        row.spool = all.text(5);
        row.program = all.text(6);
        row.command = all.text(7);
        row.directory = all.text(8);
        row.rank = optionalInteger(all, 9);
        row.localRank = optionalInteger(all, 10);
        row.worldSize = optionalInteger(all, 11);
        row.rankSource = all.text(12);
        row.beginNs = all.integer(13) + m_state->shift;
        row.endNs = optionalInteger(all, 14);
        if (row.endNs) *row.endNs += m_state->shift;
        row.ended = all.text(15);
        std::int64_t* const sums[] = {&row.events, &row.codeOpens, &row.codeReads, &row.codeBytes,
                                      &row.codeNs, &row.ownCpuNs,  &row.ownBytes};
        for (int i = 0; i < 7; ++i) *sums[i] = all.integer(16 + i);
        rows.push_back(std::move(row));
    }
    return rows;
}

Id RunStore::track(const TrackKey& key)
{
    State& state = *m_state;
    if (!state.tracks) state.tracks = tracks();
    const auto same = [&](const TrackRow& row) { return row.key == key; };
    const auto known = std::find_if(state.tracks->begin(), state.tracks->end(), same);
    if (known != state.tracks->end()) return known->id;
    Statement put = database().prepare(
        "INSERT INTO track (host_id, process_id, thread, lane, counter, source_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id");
    put.bind(1, key.host).bind(3, key.thread).bind(4, laneName(key.lane));
    if (key.process != 0) put.bind(2, key.process);
    if (key.counter) put.bind(5, rowOf(*key.counter).sqlName);
    if (key.source != 0) put.bind(6, key.source);
    const Id id = returnedId(put);
    state.tracks->push_back({id, key, {}, 0});
    return id;
}

std::vector<TrackRow> RunStore::tracks()
{
    Statement all = database().prepare(
        "SELECT id, host_id, process_id, thread, lane, counter, source_id, begin_ns, end_ns, events FROM track ORDER BY id");
    std::vector<TrackRow> rows;
    while (all.step()) {
        TrackKey key{all.integer(1),           all.integer(2), all.integer(3), findLane(all.text(4)).value_or(Lane::Meta),
                     findCounter(all.text(5)), all.integer(6)};
        const Interval extent{all.integer(7) + m_state->shift, all.integer(8) + m_state->shift};
        rows.push_back({all.integer(0), key, extent, all.integer(9)});
    }
    return rows;
}

}  // namespace flowgauge::store
