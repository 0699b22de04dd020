// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace flowgauge::open {

/// A run that is ready to be read.
struct OpenedRun {
    std::filesystem::path database;
    std::string name;  ///< of the run's directory
    store::RunStore store;
    bool whole = true;                  ///< false: a spool is bad, or a host's spools are not here: what is shown is of the others
    std::vector<std::string> warnings;  ///< one line each: spools elsewhere, processes still running, bad spools
};

/// What a run is called: its directory's name, or that of a file that is no run.db.
[[nodiscard]] std::string nameOfRun(const std::filesystem::path& path);

/// Called with 0..1 while spools are stored; return false to stop (what was stored stays).
using Progress = std::function<bool(double share)>;

/// Opens a run's directory, or its run.db. Stores spools first that are not stored yet. Destroys nothing: a file that is no run
/// of this version is left as it is. Throws Error, one line: where, what was expected and found, what to do.
[[nodiscard]] OpenedRun openRun(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace flowgauge::open
