// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

/// Where this process's recording goes: worked out once, from the environment, before anything is recorded.
namespace flowgauge::life {

using PathText = std::array<char, 4096>;

struct Place {
    PathText run;          ///< absolute path of the run's directory
    PathText spoolFolder;  ///< <spool root>/flowgauge-<uid>/<run id>/<host>
    PathText pointerFile;  ///< <run>/hosts/<host>.spool: a line for each spoolFolder of this host, for whoever collects
    std::array<char, 64> runId;
    std::array<char, 65> host;
    bool launchedHere;  ///< the launcher waits on this host
    bool handsOver;     ///< the launcher waits on another host: at its end the process brings its files to <run>/spool/<host>
};

/// Fills `into` from the environment. False: this process belongs to no run (no FLOWGAUGE_RUN), or a path is too long.
[[nodiscard]] bool findPlace(Place& into);

/// True for programs that only start others: launchers and shells, and those of FLOWGAUGE_SKIP. `program` is the name of
/// the running program, as in argv[0], with or without folders.
[[nodiscard]] bool isSkipped(const char* program);

/// Writes our line into the pointer file, if nobody has: processes of one host may be given different temporary folders. Makes the run's
/// directory and hosts/ where missing. Failure is silent: the run then shows no spool for this host.
void announce(const Place& place);

}  // namespace flowgauge::life
