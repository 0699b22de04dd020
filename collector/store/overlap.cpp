// SPDX-License-Identifier: MIT
#include "collector/store/overlap.h"

#include "collector/record/error.h"
#include "collector/store/busy_reader.h"
#include "collector/store/run_tracks.h"

#include <algorithm>
#include <map>

namespace flowgauge::store {

namespace {

/// "allreduce", "comm", "file_read,file_write": kinds and lanes, separated by commas.
KindBits kindsOf(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) throw Error("overlap", "expected overlap(kind_a, kind_b) or overlap(kind_a, kind_b, begin_ns, end_ns)");
    KindBits bits = 0;
    for (std::size_t at = 0; at <= text->size();) {
        const std::size_t comma = std::min(text->find(',', at), text->size());
        const std::string word = text->substr(at, comma - at);
        const auto kind = findKind(word);
        const auto lane = findLane(word);
        if (!kind && !lane)
            throw Error("overlap", "expected a kind (file_read, allreduce, ...) or a lane (io, comm, mark, gpu), found '", word, "'");
        if (kind) bits |= bitOf(*kind);
        for (const KindRow& row : kindRows)
            if (lane && row.lane == *lane) bits |= bitOf(row.kind);
        at = comma + 1;
    }
    return bits;
}

struct Lengths {
    Nanos a = 0, b = 0, both = 0;
};

/// Two sorted walks over disjoint stretches of time, side by side.
Lengths sweep(BusyReader& a, BusyReader& b)
{
    Lengths lengths;
    auto inA = a.next();
    auto inB = b.next();
    if (inA) lengths.a += inA->length();
    if (inB) lengths.b += inB->length();
    while (inA && inB) {
        lengths.both += Interval{std::max(inA->begin, inB->begin), std::min(inA->end, inB->end)}.length();
        if (inA->end < inB->end) {
            inA = a.next();
            if (inA) lengths.a += inA->length();
        } else {
            inB = b.next();
            if (inB) lengths.b += inB->length();
        }
    }
    for (; inA && (inA = a.next());) lengths.a += inA->length();
    for (; inB && (inB = b.next());) lengths.b += inB->length();
    return lengths;
}

std::vector<Row> answer(Database& database, const TableFunction::Arguments& arguments)
{
    const ChunkFilter a{kindsOf(arguments[0]), windowOf(arguments[2], arguments[3])};
    const ChunkFilter b{kindsOf(arguments[1]), a.window};
    struct Process {
        Cell rank;
        std::vector<Id> tracks;
    };
    std::map<std::optional<std::int64_t>, Process> processes;
    for (const TrackLabel& track : trackLabels(database)) {
        if (track.counter) continue;
        Process& process = processes[track.process];
        if (track.rank) process.rank = *track.rank;
        process.tracks.push_back(track.track);
    }
    std::vector<Row> rows;
    for (const auto& [id, process] : processes) {
        BusyReader readerA(database, process.tracks, a);
        BusyReader readerB(database, process.tracks, b);
        const Lengths lengths = sweep(readerA, readerB);
        rows.push_back({id ? Cell(*id) : Cell(), process.rank, lengths.a, lengths.b, lengths.both});
    }
    return rows;
}

}  // namespace

const TableFunction overlap{"overlap",
                            "CREATE TABLE overlap (process_id INTEGER, rank INTEGER, a_ns INTEGER, b_ns INTEGER, both_ns INTEGER, "
                            "kind_a TEXT HIDDEN, kind_b TEXT HIDDEN, begin_ns INTEGER HIDDEN, end_ns INTEGER HIDDEN)",
                            5, 4, answer};

}  // namespace flowgauge::store
