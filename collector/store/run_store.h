// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/drop_reason.h"
#include "collector/record/event.h"
#include "collector/store/database.h"
#include "collector/store/stored_event.h"

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
    std::string ended = "running";  ///< normally, replaced by exec, killed, without goodbye, running
    std::int64_t events = 0, codeOpens = 0, codeReads = 0, codeBytes = 0, codeNs = 0, ownCpuNs = 0, ownBytes = 0;
};

/// Identity of a track. A counter's track has a counter and a source, and a process only for per-process counters.
struct TrackKey {
    Id host = 0;
    Id process = 0;  ///< 0: the host's own
    std::int64_t thread = 0;
    Lane lane = Lane::Io;
    std::optional<Counter> counter;
    Id source = 0;  ///< row id in name
    friend bool operator==(const TrackKey&, const TrackKey&) = default;
};

struct TrackRow {
    Id id = 0;
    TrackKey key;
    Interval extent;
    std::int64_t events = 0;
};

/// One line of the ledger: what was measured, absent, zero, dropped or degraded, and why.
struct LedgerRow {
    Id host = 0;     ///< 0: of the whole run
    Id process = 0;  ///< 0: of the host
    std::string_view what, state, reason;
    std::int64_t amount = 0;
};

/// Which events a scan visits: an empty list means all.
struct EventQuery {
    std::vector<Kind> kinds;
    std::vector<Id> tracks;
    std::optional<Interval> window;  ///< events that overlap it, and instants inside it
};

/// A bucket of a tile: what a pixel column needs.
struct Bucket {
    std::uint32_t events = 0;       ///< that begin in it
    float busy = 0;                 ///< 0..1 of the bucket's width
    Nanos longest = 0;              ///< whole duration of the longest event that begins in it or reaches into it
    Kind leadingKind = Kind::None;  ///< of that event; None: nothing is there
    Id leadingName = 0;
    std::uint64_t bytes = 0;  ///< of the events that begin in it
};

/// One run's database: the writer's and the reader's view of it. Not for two threads at a time; open it twice instead.
/// Throws Error (path, expected, found) for a file that is no run, of a newer schema, or damaged.
class RunStore {
public:
    /// A new file, a fifth faster to fill than an old one: it has no journal on disk and waits for no disk, so that a crash leaves
    /// nothing of use until settle or finalize. Make it as a Draft.
    [[nodiscard]] static RunStore create(const std::filesystem::path& file, Nanos tZeroUnixNs);
    [[nodiscard]] static RunStore openForWriting(const std::filesystem::path& file);
    [[nodiscard]] static RunStore openForReading(const std::filesystem::path& file);
    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;
    ~RunStore();

    [[nodiscard]] Database& database();

    // ---- writing; all of it but finalize inside a Transaction of database(). One that is not committed takes what was
    //      appended in it along, and the ids that were handed out in it ----
    [[nodiscard]] Id name(std::string_view text);                ///< row id of a text, made when new
    [[nodiscard]] Id host(const HostRow& row);                   ///< found by (name, bootId), made or updated
    [[nodiscard]] Id process(const ProcessRow& row);             ///< found by spool, made or updated
    [[nodiscard]] Id track(const TrackKey& key);                 ///< found by key, made when new
    void append(Id track, std::span<const StoredEvent> events);  ///< any order; kept until flush or until they fill chunks
    void flush();                                                ///< writes what append kept as chunks, tiles and name statistics
    void putLedger(const LedgerRow& row);                        ///< the amount replaces that of an equal line
    void putMeta(std::string_view key, std::int64_t value);
    /// Brings what create began to the disk; from here on a crash costs the last transaction at most, and readers may look on.
    void settle();
    /// Settles, merges short chunks, builds upper tile levels, switches to one file (journal_mode=DELETE), ANALYZE. Safe to repeat.
    void finalize(const std::function<void(double)>& progress = {});

    // ---- reading ----
    /// From here on, all times that are read (but those in SQL) count from this moment instead of the file's own zero: what parts of one
    /// run were recorded into files of their own is told by one clock then. For a store that is only read.
    void countFrom(Nanos zeroUnixNs);
    [[nodiscard]] Nanos sinceZero() const;  ///< of the file's own zero, ns: 0 unless countFrom was called
    [[nodiscard]] std::optional<std::int64_t> meta(std::string_view key);
    [[nodiscard]] std::string nameText(Id name);  ///< "(name lost)" for 0
    [[nodiscard]] std::vector<HostRow> hosts();
    [[nodiscard]] std::vector<ProcessRow> processes();
    [[nodiscard]] std::vector<TrackRow> tracks();
    /// Visits all events that the query names, track by track, each track in order of begin. Decodes only chunks that can
    /// hold one; memory is one chunk. The visitor returns false to stop.
    void scan(const EventQuery& query, const std::function<bool(const TrackRow&, std::span<const StoredEvent>)>& visit);
    /// The same for one track, whichever the query names. False when the visitor stopped it.
    bool scanTrack(const TrackRow& track, const EventQuery& query,
                   const std::function<bool(const TrackRow&, std::span<const StoredEvent>)>& visit);
    /// `columns` buckets over the window of one track, from the coarsest tile level that is fine enough.
    [[nodiscard]] std::vector<Bucket> buckets(Id track, Interval window, int columns);

private:
    struct State;
    explicit RunStore(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace flowgauge::store
