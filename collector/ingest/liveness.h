// SPDX-License-Identifier: MIT
#pragma once
#include "collector/spool/format.h"

#include <string>

namespace flowgauge::ingest {

/// Name of this host as spools carry it (uname, as gethostname says).
[[nodiscard]] std::string hostName();

/// /proc/sys/kernel/random/boot_id without its newline; "" where there is none.
[[nodiscard]] std::string bootId();

/// Start time of a process in clock ticks since boot (/proc/PID/stat field 22, proc(5)); 0 when it is gone or a zombie.
[[nodiscard]] std::uint64_t processStart(int pid);

/// True when the very process that wrote this header still runs here: same host, same boot, same pid, same start time.
[[nodiscard]] bool isAlive(const spool::SpoolHeader& header);

}  // namespace flowgauge::ingest
