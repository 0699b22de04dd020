// SPDX-License-Identifier: MIT
#pragma once
#include "collector/ingest/event_sorter.h"
#include "collector/ingest/rank_environment.h"
#include "collector/ingest/spool_reader.h"
#include "collector/store/ingest_rows.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::ingest {

/// The open transaction: closed and opened again whenever enough events are in it. Undone unless committed.
class Batch {
public:
    explicit Batch(store::RunStore& store) : m_store(store) { m_open.emplace(store.database()); }
    void add(std::int64_t events) { m_events += events; }
    [[nodiscard]] bool full() const { return m_events >= mostEvents; }
    void commit();  ///< flushes the store, commits, and opens the next one
    void finish();  ///< flushes the store and commits: the last one

private:
    /// Large, so that the store's chunks are long; small enough that a killed ingest repeats little (1 s).
    static constexpr std::int64_t mostEvents = 4'000'000;
    store::RunStore& m_store;
    std::optional<store::Transaction> m_open;
    std::int64_t m_events = 0;
};

/// ns per tick of each host's clocks, learned from processes that lived long enough to tell.
using Slopes = std::map<std::string, double>;

/// A process that the launcher saw end by a signal.
struct KilledProcess {
    std::string host;
    std::int64_t pid;
};

/// What became of one process's spool.
struct ProcessOutcome {
    std::int64_t events = 0, lost = 0;
    bool running = false;
    bool stopped = false;  ///< the caller asked to stop; the rest is taken the next time
};

/// Takes one spool into the store, from where it was left.
class ProcessIngest {
public:
    struct Context {
        store::RunStore& store;
        Batch& batch;
        Slopes& slopes;
        Nanos tZeroUnixNs;
        std::optional<KilledProcess> killed;
        std::function<bool(std::uint64_t bytes)> advance;  ///< bytes taken of this spool; false: stop
    };
    /// Reads and checks the files. Throws Error for a file that is no spool of ours.
    ProcessIngest(Context context, std::filesystem::path spoolFile);
    [[nodiscard]] ProcessOutcome take();
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_reader.warnings(); }

private:
    void survey();
    [[nodiscard]] store::Id findHost();
    [[nodiscard]] double fallbackSlope();
    [[nodiscard]] store::ProcessRow rowFor(ClockLine& clock, store::Id host) const;
    [[nodiscard]] bool wasSeenKilled(const store::ProcessRow& row) const;
    void setEnd(store::ProcessRow& row, ClockLine& clock) const;
    bool takeEvents(EventSorter& sorter);
    void putFacts(store::Id host, store::Id process, const EventSorter& sorter);
    void putLosses(store::Id host, store::Id process, const EventSorter& sorter);
    void putNamedFacts(store::Id host, store::Id process);
    void putProgress();
    [[nodiscard]] std::string spoolName() const { return m_path.stem().string(); }

    Context m_context;
    std::filesystem::path m_path;
    SpoolReader m_reader;
    SpoolMeta m_meta;
    bool m_alive;
    std::vector<ClockAnchor> m_anchors;
    Nanos m_rawToRun = 0;
    std::map<std::uint32_t, std::uint64_t> m_next;  ///< per ring: first sequence not stored
};

}  // namespace flowgauge::ingest
