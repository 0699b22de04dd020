// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace flowgauge::ingest {

/// What one call of ingest did.
struct Summary {
    std::int64_t processes = 0;
    std::int64_t events = 0;            ///< newly stored
    std::int64_t lost = 0;              ///< counted losses of these processes, all reasons
    std::int64_t running = 0;           ///< processes that are still alive: ingest again later
    std::vector<std::string> warnings;  ///< "path: what was found", one line each
};

/// Called now and then with the share done (0..1); return false to stop (what was committed stays, nothing is doubled).
using Progress = std::function<bool(double share)>;

/// Takes all spools of the folders into <run>/run.db: incrementally, idempotently, interruptibly. A bad spool is a warning
/// and a row of the ledger, never the end. When every process has ended, closes the database as one tidy file.
[[nodiscard]] Summary ingest(const std::filesystem::path& run, const std::vector<std::filesystem::path>& spoolFolders,
                             const Progress& progress = {});

/// The spool folders of this run that this machine can reach: <run>/spool/* (collected) and those that the pointer files
/// <run>/hosts/<host>.spool of this host name. Hosts whose spools are elsewhere are named in `missing`.
struct SpoolFolders {
    std::vector<std::filesystem::path> found;
    std::vector<std::string> missing;
};
/// The folders that a host's pointer file names: more than one where its processes were given different temporary folders.
[[nodiscard]] std::vector<std::filesystem::path> spoolFoldersOf(const std::filesystem::path& run, const std::string& host);
[[nodiscard]] SpoolFolders findSpoolFolders(const std::filesystem::path& run);

}  // namespace flowgauge::ingest
