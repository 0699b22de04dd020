// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/life/place.h"

#include <cstdint>

/// How the files of a process get to the launcher when that waits on another host: <run>/spool/<host>/ lies on a file system
/// that both see. Nothing here speaks of a failure: what did not arrive is fetched by `flowgauge collect` on this host.
namespace flowgauge::life {

/// Leaves <pid>-<start>.recording in the run: a report then knows that this host holds files that have not arrived.
/// Once the files are made.
void announceRecording(const Place& place);

/// Moves this process's files into the run: each has its name there only once it is whole, the rings before the spool, since a
/// reader goes by the spool. What is still here at `patienceMs` stays here. On the drain thread, when the process is at its end.
void handOver(const Place& place, std::uint32_t patienceMs);

}  // namespace flowgauge::life
