// SPDX-License-Identifier: MIT
#include "collector/store/run_head.h"

#include "collector/store/ingest_rows.h"

#include <string>
#include <unordered_map>

namespace flowgauge::store {
namespace {

/// A part's row ids to those of the head.
struct Ids {
    std::unordered_map<Id, Id> hosts{{0, 0}}, processes{{0, 0}}, tracks;

    [[nodiscard]] TrackKey keyOf(const TrackKey& key, RunStore& part, RunStore& head) const
    {
        TrackKey moved = key;
        moved.host = hosts.at(key.host);
        moved.process = processes.at(key.process);
        moved.source = key.source == 0 ? 0 : head.name(part.nameText(key.source));
        return moved;
    }
};

void addJob(RunStore& part, RunStore& head, Ids& ids)
{
    for (const HostRow& host : part.hosts()) ids.hosts[host.id] = head.host(host);
    for (ProcessRow process : part.processes()) {
        process.host = ids.hosts.at(process.host);
        const Id was = process.id;
        ids.processes[was] = head.process(process);
    }
}

/// Column of an event of these kinds that is a row id of `name`.
std::size_t nameColumnOf(Kind kind) { return kind == Kind::CounterSample ? 1 : 0; }

void addTracks(RunStore& part, RunStore& head, Ids& ids)
{
    const EventQuery few{{Kind::CounterSample, Kind::ClockExchange}, {}, {}};
    std::vector<StoredEvent> moved;
    for (const TrackRow& track : part.tracks()) {
        const TrackKey key = ids.keyOf(track.key, part, head);
        const Id into = ids.tracks[track.id] = head.track(key);
        if (track.key.lane != Lane::Counter && track.key.lane != rowOf(Kind::ClockExchange).lane) continue;
        part.scanTrack(track, few, [&](const TrackRow&, std::span<const StoredEvent> events) {
            moved.assign(events.begin(), events.end());
            for (StoredEvent& event : moved) {
                std::int64_t& name = event.arg[nameColumnOf(event.kind)];
                if (name != 0) name = head.name(part.nameText(name));
            }
            head.append(into, moved);
            return true;
        });
    }
    head.flush();
}

/// Which mount holds the data is asked of them.
void addFiles(RunStore& part, RunStore& head, const Ids& ids)
{
    Statement rows = part.database().prepare(
        "SELECT track_id, kind, name_id, calls, failed, bytes, total_ns, shortest_ns, longest_ns, histogram FROM name_stat "
        "WHERE kind LIKE 'file%'");
    Statement put = head.database().prepare("INSERT OR REPLACE INTO name_stat VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    while (rows.step()) {
        const std::string kind = rows.text(1);
        put.bind(1, ids.tracks.at(rows.integer(0))).bind(2, std::string_view(kind)).bind(3, head.name(part.nameText(rows.integer(2))));
        for (int column = 3; column < 9; ++column) put.bind(column + 1, rows.integer(column));
        put.bind(10, rows.blob(9)).run();
    }
}

void addLedger(RunStore& part, RunStore& head, const Ids& ids)
{
    Statement rows = part.database().prepare(
        "SELECT coalesce(host_id, 0), coalesce(process_id, 0), what, state, reason, coalesce(amount, 0) FROM ledger ORDER BY id");
    while (rows.step()) {
        const std::string what = rows.text(2), state = rows.text(3), reason = rows.text(4);
        head.putLedger({ids.hosts.at(rows.integer(0)), ids.processes.at(rows.integer(1)), what, state, reason, rows.integer(5)});
    }
}

void addOutput(RunStore& part, RunStore& head)
{
    IngestRows into(head.database());
    Statement rows = part.database().prepare("SELECT at_ns, stream, text FROM output_line ORDER BY id");
    while (rows.step()) {
        const std::optional<Nanos> at = rows.isNull(0) ? std::nullopt : std::optional(rows.integer(0) + part.sinceZero());
        const std::string stream = rows.text(1), text = rows.text(2);
        into.putOutputLine(at, stream, text);
    }
    if (const auto batch = part.meta("log_batch")) head.putMeta("log_batch", *batch);
}

}  // namespace

void addToHead(RunStore& part, RunStore& head)
{
    Ids ids;
    addJob(part, head, ids);
    addTracks(part, head, ids);
    addFiles(part, head, ids);
    addLedger(part, head, ids);
    addOutput(part, head);
}

}  // namespace flowgauge::store
