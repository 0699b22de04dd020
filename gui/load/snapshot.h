// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "analyzer/report/report.h"
#include "collector/store/run_store.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace flowgauge::load {

/// What the run means: the same facts and the same report as the command line prints.
struct Analysis {
    facts::RunFacts facts;
    report::Report report;
    std::vector<facts::PartSets> parts;  ///< by position in facts.ranks
    std::string json;                    ///< as `flowgauge report --format json` prints it
};

/// A track with what its row in the window says about it.
struct TrackInfo {
    store::TrackRow row;
    std::optional<int> rank;  ///< none: of the host, or of a process that belongs to no rank
    std::int64_t pid = 0;     ///< 0: of the host
    std::string host, program, source;
};

/// A run as it was when it was opened. Never changes: a live run makes new ones. Shared by all views, read from any thread.
struct RunSnapshot {
    std::filesystem::path path;      ///< as the user named it
    std::filesystem::path database;  ///< its run.db
    std::string name;
    std::vector<std::string> warnings;  ///< one line each
    std::vector<store::HostRow> hosts;
    std::vector<store::ProcessRow> processes;
    std::vector<TrackInfo> tracks;
    Interval extent;       ///< of all tracks
    bool running = false;  ///< a process was still writing: open it again to see more
    /// Null until the facts are known: a view then shows what needs none, and says `pending` where the rest would be.
    std::shared_ptr<const Analysis> analysis;
    bool postponed = false;  ///< so large that it is not analysed before the user asks for it
    std::string pending = "Looking for causes… The timeline can be used meanwhile.";

    [[nodiscard]] const TrackInfo* track(store::Id id) const;
    [[nodiscard]] std::int64_t events() const;     ///< samples of counters are none
    [[nodiscard]] std::vector<int> ranks() const;  ///< in order
};

using RunPtr = std::shared_ptr<const RunSnapshot>;

/// Reads what a snapshot holds beside the analysis: a few rows. Throws Error.
[[nodiscard]] RunSnapshot snapshotOf(store::RunStore& store);

/// Facts, diagnoses and report of the whole run. Throws Error; takes seconds for ten million events.
[[nodiscard]] std::shared_ptr<const Analysis> analysisOf(store::RunStore& store, const std::string& name);

}  // namespace flowgauge::load
