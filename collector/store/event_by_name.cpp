// SPDX-License-Identifier: MIT
#include "collector/store/event_by_name.h"

#include "collector/store/flat_index.h"
#include "collector/store/named_columns.h"
#include "collector/store/run_tracks.h"
#include "collector/store/track_reader.h"

#include <algorithm>
#include <map>
#include <vector>

namespace flowgauge::store {

namespace {

struct Sums {
    std::int64_t calls = 0, failed = 0, bytes = 0, totalNs = 0, insideNs = 0;
    std::int64_t shortestNs = INT64_MAX, longestNs = 0;

    void operator+=(const Sums& other)
    {
        calls += other.calls;
        failed += other.failed;
        bytes += other.bytes;
        totalNs += other.totalNs;
        insideNs += other.insideNs;
        shortestNs = std::min(shortestNs, other.shortestNs);
        longestNs = std::max(longestNs, other.longestNs);
    }
};

/// Sums by kind and name.
class KeyedSums {
public:
    Sums& operator[](std::uint64_t key) { return m_sums[placeOf(key)]; }
    /// Places stay, sums move: whoever meets one key many times in a row asks once.
    std::size_t placeOf(std::uint64_t key)
    {
        const std::size_t known = m_index[key];
        if (known == m_sums.size()) m_sums.emplace_back();
        return known;
    }
    Sums& at(std::size_t place) { return m_sums[place]; }
    [[nodiscard]] std::size_t size() const { return m_sums.size(); }
    [[nodiscard]] std::uint64_t key(std::size_t i) const { return m_index.keys()[i]; }
    [[nodiscard]] const Sums& sums(std::size_t i) const { return m_sums[i]; }

private:
    FlatIndex m_index;
    std::vector<Sums> m_sums;
};

void addBatch(const EventColumns& batch, const std::optional<Interval>& window, KeyedSums& into)
{
    NamedColumns columns(batch);
    std::uint64_t last = 0;
    std::size_t place = into.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Nanos begin = batch.begin(i);
        const Nanos end = batch.end(i);
        if (window && !shows(*window, begin, end)) continue;
        const Kind kind = columns.kind(i);
        const std::uint64_t key = kindNameKey(kind, columns.name(i));
        if (key != last || place == into.size()) place = into.placeOf(key);
        last = key;
        Sums& sums = into.at(place);
        const Nanos duration = std::max<Nanos>(0, batch.duration(i));
        sums.calls += 1;
        sums.failed += (batch.flags(i) & flagFailed) != 0 ? 1 : 0;
        sums.bytes += columns.bytes(i);
        sums.totalNs += duration;
        sums.insideNs += window ? Interval{std::max(window->begin, begin), std::min(window->end, end)}.length() : duration;
        sums.shortestNs = std::min(sums.shortestNs, duration);
        sums.longestNs = std::max(sums.longestNs, duration);
    }
}

void addTrack(Database& database, Id track, const std::optional<Interval>& window, KeyedSums& into)
{
    TrackReader reader(database, track, {allKinds, window}, timeColumns | setOf(Column::Flags));
    reader.wantNamed();
    while (const EventColumns* batch = reader.next()) addBatch(*batch, window, into);
}

/// Without a window the rows of name_stat have the answer already.
void addStatistics(Database& database, Id track, KeyedSums& into)
{
    Statement rows(database,
                   "SELECT kind, name_id, calls, failed, bytes, total_ns, shortest_ns, longest_ns FROM name_stat WHERE track_id = ?1");
    rows.bind(1, track);
    while (rows.step())
        if (const auto kind = findKind(rows.text(0)))
            into[kindNameKey(*kind, rows.integer(1))] +=
                Sums{rows.integer(2), rows.integer(3), rows.integer(4), rows.integer(5), rows.integer(5), rows.integer(6), rows.integer(7)};
}

Cell optionalCell(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }

std::vector<Row> answer(Database& database, const TableFunction::Arguments& arguments)
{
    const auto window = windowOf(arguments[0], arguments[1]);
    struct Process {
        std::optional<std::int64_t> rank;
        KeyedSums sums;
    };
    std::map<std::optional<std::int64_t>, Process> processes;
    for (const TrackLabel& track : trackLabels(database)) {
        if (track.counter) continue;
        Process& process = processes[track.process];
        process.rank = track.rank;
        window ? addTrack(database, track.track, window, process.sums) : addStatistics(database, track.track, process.sums);
    }
    NameTexts names(database);
    std::vector<Row> rows;
    for (const auto& [id, process] : processes)
        for (std::size_t i = 0; i < process.sums.size(); ++i) {
            const Kind kind = kindOfKey(process.sums.key(i));
            const Sums& sums = process.sums.sums(i);
            const Cell name = nameArgument(kind) ? Cell(names.text(nameOfKey(process.sums.key(i)))) : Cell();
            rows.push_back({optionalCell(id), optionalCell(process.rank), std::string(rowOf(kind).sqlName), name, sums.calls, sums.failed,
                            sums.bytes, sums.totalNs, sums.insideNs, sums.shortestNs, sums.longestNs});
        }
    return rows;
}

}  // namespace

const TableFunction eventByName{
    "event_by_name",
    "CREATE TABLE event_by_name (process_id INTEGER, rank INTEGER, kind TEXT, name TEXT, calls INTEGER, failed INTEGER, bytes INTEGER, "
    "total_ns INTEGER, inside_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, begin_ns INTEGER HIDDEN, end_ns INTEGER HIDDEN)",
    11, 2, answer};

}  // namespace flowgauge::store
