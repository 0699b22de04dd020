// SPDX-License-Identifier: MIT
#include "gui/load/storage_data.h"

#include "analyzer/facts/counter_series.h"

#include <algorithm>
#include <set>

namespace flowgauge::load {

namespace {

constexpr std::size_t mapColumns = 480;
constexpr std::size_t mapRows = 144;

/// A call that took bytes: where, and how many.
struct Piece {
    store::Id file = 0;
    std::int64_t offset = -1, bytes = 0;
};

Piece pieceOf(const store::StoredEvent& event) { return {event.arg[0], event.arg[1], std::max<std::int64_t>(event.arg[2], 0)}; }

store::EventQuery readsOn(std::vector<store::Id> tracks, std::optional<Interval> when)
{
    return {{Kind::FileRead, Kind::FileCopy, Kind::FileSubmit}, std::move(tracks), when};
}

void addReads(const facts::FileReads& reads, StorageReads& result)
{
    if (result.files.empty() || result.files.back().file != reads.file) result.files.push_back({reads.file, reads.path, 0, 0, 0, 0, 0});
    FileFigures& file = result.files.back();
    file.calls += reads.calls;
    file.bytes += reads.bytes;
    file.time += reads.time;
    file.longest = std::max(file.longest, reads.longest);
    for (std::size_t i = 0; i < reads.byLog2.size(); ++i) result.byLog2[i] += reads.byLog2[i];
}

void putFurthest(store::RunStore& store, const std::vector<store::Id>& tracks, const Cancel& cancel, StorageReads& result)
{
    std::unordered_map<store::Id, std::int64_t> furthest;
    store.scan(readsOn(tracks, {}), [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) {
            const Piece piece = pieceOf(event);
            if (piece.offset < 0) continue;
            std::int64_t& far = furthest[piece.file];
            far = std::max(far, piece.offset + piece.bytes);
        }
        return !*cancel;
    });
    for (FileFigures& file : result.files)
        if (const auto found = furthest.find(file.file); found != furthest.end()) file.furthest = found->second;
}

/// Rows of the map that a file takes.
struct FileRows {
    std::size_t first = 0, count = 1;
    std::int64_t length = 0;
};

std::unordered_map<store::Id, FileRows> rowsOf(const std::vector<FileFigures>& files, std::size_t rows)
{
    std::unordered_map<store::Id, FileRows> result;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::size_t first = i * rows / files.size();
        result[files[i].file] = {first, std::max<std::size_t>(1, (i + 1) * rows / files.size() - first), files[i].furthest};
    }
    return result;
}

std::size_t rowOf(const FileRows& rows, std::int64_t offset)
{
    if (offset <= 0 || rows.length <= 0) return rows.first;
    const double share = static_cast<double>(offset) / static_cast<double>(rows.length);
    return rows.first + std::min(rows.count - 1, static_cast<std::size_t>(share * static_cast<double>(rows.count)));
}

timeline::Grid emptyMap(const std::vector<FileFigures>& files, Interval when)
{
    timeline::Grid grid;
    grid.question = "In which order were the files read?";
    grid.note = "files by name, offset within each downwards; steep lines: in order; noise: shuffled";
    grid.empty = "No reads of data files in this piece of time.";
    grid.columns = mapColumns;
    grid.rows = mapRows;
    grid.values.assign(mapColumns * mapRows, 0);
    grid.when = when;
    const std::size_t names = std::min(files.size(), mapRows);
    for (std::size_t i = 0; i < names; ++i) grid.rowNames.push_back(files[i * files.size() / names].path);
    return grid;
}

}  // namespace

StorageFlow storageFlow(store::RunStore& store, Interval when, std::size_t slices)
{
    facts::RunFacts piece;  // overTime asks no more of it than its extent when it holds no ranks
    piece.extent = when;
    StorageFlow flow{facts::overTime(store, piece, slices), {}, 0};
    std::set<store::Id> working;
    for (const store::ProcessRow& process : store.processes()) working.insert(process.host);
    for (const facts::PlacedSeries& placed : facts::readCounters(store, {Counter::PageCache, Counter::MemoryTotal})) {
        if (!working.contains(placed.place.host) || placed.series.empty()) continue;
        if (placed.place.counter == Counter::MemoryTotal) flow.memory += placed.series.last();
        if (placed.place.counter != Counter::PageCache) continue;
        flow.pageCache.resize(slices);
        const double step = static_cast<double>(when.length()) / static_cast<double>(slices);
        for (std::size_t i = 0; i < slices; ++i)
            flow.pageCache[i] += placed.series.valueAt(when.begin + static_cast<Nanos>(step * (static_cast<double>(i) + 0.5)));
    }
    return flow;
}

std::vector<store::Id> fileTracks(const RunSnapshot& run, const std::vector<int>& ranks)
{
    std::vector<store::Id> tracks;
    for (const TrackInfo& track : run.tracks) {
        if (track.row.key.lane != Lane::Io) continue;
        const bool shown = ranks.empty() || (track.rank && std::find(ranks.begin(), ranks.end(), *track.rank) != ranks.end());
        if (shown) tracks.push_back(track.row.id);
    }
    return tracks;
}

StorageReads storageReads(store::RunStore& store, const RunSnapshot& run, const std::vector<int>& ranks, const Cancel& cancel)
{
    StorageReads result;
    const std::vector<store::Id> tracks = fileTracks(run, ranks);
    if (tracks.empty()) return result;  // an empty list would mean every track
    const std::set<store::Id> shown(tracks.begin(), tracks.end());
    for (const facts::FileReads& reads : facts::fileReads(store))
        if (shown.contains(reads.track)) addReads(reads, result);
    putFurthest(store, tracks, cancel, result);
    return result;
}

timeline::Grid accessMap(store::RunStore& store, std::vector<store::Id> tracks, const std::vector<FileFigures>& files, Interval when,
                         const Cancel& cancel)
{
    timeline::Grid grid = emptyMap(files, when);
    if (tracks.empty() || when.empty() || files.empty()) return grid;
    const auto rows = rowsOf(files, grid.rows);
    const double columnsPerNano = static_cast<double>(grid.columns) / static_cast<double>(when.length());
    store.scan(readsOn(std::move(tracks), when), [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) {
            const Piece piece = pieceOf(event);
            const auto found = rows.find(piece.file);
            if (found == rows.end() || !when.contains(event.begin)) continue;
            const auto column = static_cast<std::size_t>(static_cast<double>(event.begin - when.begin) * columnsPerNano);
            grid.values[rowOf(found->second, piece.offset) * grid.columns + std::min(column, grid.columns - 1)] +=
                static_cast<double>(std::max<std::int64_t>(piece.bytes, 1));
        }
        return !*cancel;
    });
    return grid;
}

}  // namespace flowgauge::load
