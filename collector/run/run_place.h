// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace flowgauge::run {

/// Where a run's files go, on this host.
struct RunPlace {
    std::filesystem::path run;          ///< absolute
    std::filesystem::path spoolRoot;    ///< absolute
    std::filesystem::path spoolFolder;  ///< <spool root>/flowgauge-<uid>/<run id>/<host>
    std::string runId;
};

/// Makes the run's directory, this host's spool folder and the pointer to it. `output` empty: ./flowgauge-<date>-<n>, the
/// first that is free. The run id holds the moment too, so that what a killed run left can never mix with the next one of
/// the same path. Throws Error (path, why, what to do); nothing that was there is touched.
[[nodiscard]] RunPlace makePlace(const std::filesystem::path& output, const std::filesystem::path& spoolRoot);

/// The spool root: the argument, else FLOWGAUGE_SPOOL, SLURM_TMPDIR, TMPDIR, /tmp. Absolute.
[[nodiscard]] std::filesystem::path spoolRootOf(const std::filesystem::path& asked);

/// Removes the folders with this host's spools, their parents where they are empty then, and the pointer to them.
void removeSpools(const RunPlace& place);

}  // namespace flowgauge::run
