// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/orders.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// `flowgauge run`: starts a job with our library in front of it, keeps what it prints, and stores what was recorded.
namespace flowgauge::run {

struct Options {
    std::filesystem::path output;        ///< the run's directory; empty: ./flowgauge-<date>-<n>
    std::filesystem::path library;       ///< libflowgauge.so, absolute
    std::filesystem::path pythonFolder;  ///< put on PYTHONPATH when it exists; may be empty
    std::filesystem::path spoolRoot;     ///< empty: FLOWGAUGE_SPOOL, SLURM_TMPDIR, TMPDIR, /tmp
    std::uint32_t samplePeriodMs = 100;  ///< 0: no samplers
    std::string kinds;                   ///< as FLOWGAUGE_KINDS; empty: all
    std::uint64_t maxSpoolBytes = 0;     ///< per process; 0: no limit
    bool keepOutput = true;              ///< false: stdout and stderr of the job are left alone
    bool keepSpools = false;             ///< true: spools stay after they were stored (for tests and for debugging)
    std::vector<remote::Orders> remote;  ///< servers to ask beside the job
    std::vector<std::string> command;
};

/// How the job ended: with a status, or by a signal.
struct Outcome {
    int status = 0;
    int signal = 0;  ///< 0: it exited
    std::filesystem::path run;
};

/// Runs the job to its end, stores the recording, says on stderr where it is. Throws Error before the job starts (a run
/// directory in use, one that cannot be written); afterwards a problem is a line on stderr, and the job's outcome is returned.
/// A program that cannot be run yields status 127 (not found) or 126 (not executable), as a shell does, and leaves nothing.
[[nodiscard]] Outcome launch(const Options& options);

/// Ends this process as the job ended: raises the job's signal on itself, or returns its status for main to return.
[[nodiscard]] int endAs(const Outcome& outcome);

/// Copies this host's spools of a run that another host stores into <run>/spool/<host>/. Returns how many processes were
/// copied and how many still run (theirs stay). Throws Error where the run has no spools of this host.
struct Collected {
    int copied = 0, running = 0;
};
[[nodiscard]] Collected collect(const std::filesystem::path& run);

}  // namespace flowgauge::run
