// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/drop_reason.h"
#include "collector/record/event.h"
#include "collector/record/counter.h"
#include "collector/store/database.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::store {

/// Row id of a table; 0 is none.
using Id = std::int64_t;

/// An event as the store keeps it: ns since the run's zero, and row ids of `name` where kinds.def says `name`.
struct StoredEvent {
    Nanos begin;
    Nanos end;
    std::uint64_t link;
    Kind kind;
    std::uint16_t flags;
    std::array<std::int64_t, 4> arg;
    friend bool operator==(const StoredEvent&, const StoredEvent&) = default;
};

struct HostRow {
    Id id = 0;
    std::string name, bootId;
    Nanos rawToRunNs = 0;
};

struct ProcessRow {
    Id id = 0;
    Id host = 0;
    std::int64_t pid = 0, parentPid = 0, processStart = 0;
    std::string spool, program, command, directory;
    std::optional<std::int64_t> rank, localRank, worldSize;
    std::string rankSource;
    Nanos beginNs = 0;
    std::optional<Nanos> endNs;
    std::string ended = "running";  ///< normally, killed, running
    std::int64_t events = 0, codeOpens = 0, codeReads = 0, codeBytes = 0, codeNs = 0, ownCpuNs = 0, ownBytes = 0;
};

/// Identity of a track. A counter's track has a counter and a source, and a process only for per-process counters.
struct TrackKey {
    Id host = 0;
    Id process = 0;          ///< 0: the host's own
    std::int64_t thread = 0;
    Lane lane = Lane::Io;
    std::optional<Counter> counter;
    Id source = 0;           ///< row id in name
    friend bool operator==(const TrackKey&, const TrackKey&) = default;
};

struct TrackRow {
    Id id = 0;
    TrackKey key;
    Interval extent;
    std::int64_t events = 0;
};

/// Which events a scan visits: an empty list means all.
struct EventQuery {
    std::vector<Kind> kinds;
    std::vector<Id> tracks;
    std::optional<Interval> window;  ///< events that overlap it
};

/// A bucket of a tile: what a pixel column needs.
struct Bucket {
    std::uint32_t events;
    float busy;               ///< 0..1 of the bucket's width
    Nanos longest;
    Kind leadingKind;         ///< of the longest event
    Id leadingName;
    std::uint64_t bytes;
};

/// One run's database: the writer's and the reader's view of it. Not for two threads at a time; open it twice instead.
/// Throws Error (path, expected, found) for a file that is no run, of a newer schema, or damaged.
class RunStore {
public:
    [[nodiscard]] static RunStore create(const std::filesystem::path& file, Nanos tZeroUnixNs);
    [[nodiscard]] static RunStore openForWriting(const std::filesystem::path& file);
    [[nodiscard]] static RunStore openForReading(const std::filesystem::path& file);
    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;
    ~RunStore();

    [[nodiscard]] Database& database();

    // ---- writing; all of it inside a Transaction of database() ----
    [[nodiscard]] Id name(std::string_view text);                 ///< row id of a text, made when new
    [[nodiscard]] Id host(const HostRow& row);                    ///< found by (name, bootId), made when new
    [[nodiscard]] Id process(const ProcessRow& row);              ///< found by spool, made or updated
    [[nodiscard]] Id track(const TrackKey& key);                  ///< found by key, made when new
    void append(Id track, std::span<const StoredEvent> events);   ///< any order; kept until flush
    void flush();                                                 ///< writes what append kept as chunks, tiles and name statistics
    void putLedger(Id host, Id process, std::string_view what, std::string_view state, std::string_view reason, std::int64_t amount);
    void putMeta(std::string_view key, std::int64_t value);
    /// Merges short chunks, builds upper tile levels, switches to one file (journal_mode=DELETE), ANALYZE. Safe to repeat.
    void finalize(const std::function<void(double)>& progress = {});

    // ---- reading ----
    [[nodiscard]] std::optional<std::int64_t> meta(std::string_view key);
    [[nodiscard]] std::string nameText(Id name);                  ///< "(name lost)" for 0
    [[nodiscard]] std::vector<HostRow> hosts();
    [[nodiscard]] std::vector<ProcessRow> processes();
    [[nodiscard]] std::vector<TrackRow> tracks();
    /// Visits all events that the query names, track by track, each track in order of begin. Decodes only chunks that can
    /// hold one; memory is one chunk. The visitor returns false to stop.
    void scan(const EventQuery& query, const std::function<bool(const TrackRow&, std::span<const StoredEvent>)>& visit);
    /// `columns` buckets over the window of one track, from the coarsest tile level that is fine enough.
    [[nodiscard]] std::vector<Bucket> buckets(Id track, Interval window, int columns);

private:
    struct State;
    explicit RunStore(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace flowgauge::store
