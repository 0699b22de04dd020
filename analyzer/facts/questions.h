// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <string>

/// SQL that a reader may ask of a run.db to get the numbers of a report himself. Shown, not run.
namespace flowgauge::facts::questions {

inline constexpr const char* parts =
    "SELECT rank, sum(compute_ns), sum(exposed_comm_ns), sum(exposed_copy_ns), sum(input_stall_ns), sum(idle_ns) FROM epoch_rank GROUP BY "
    "rank";
inline constexpr const char* epochs =
    "SELECT e.number, (e.end_ns - e.begin_ns) / 1e9 AS seconds, e.samples, b.read_bytes, b.fetched_bytes FROM epoch e JOIN epoch_bytes b "
    "USING (number)";
inline constexpr const char* elsewhere = "SELECT * FROM reads_elsewhere";
inline constexpr const char* collectives =
    "SELECT kind, arg1 AS bytes, rank, count(*), sum(duration_ns) FROM event WHERE lane = 'comm' GROUP BY kind, arg1, rank";
inline constexpr const char* layers =
    "SELECT at_ns, host, source, counter, value FROM nfs_counter UNION ALL SELECT at_ns, host, source, counter, value "
    "FROM disk_counter";
inline constexpr const char* ports =
    "SELECT at_ns, host, source, counter, value FROM ib_counter UNION ALL SELECT at_ns, host, source, counter, value FROM "
    "nic_counter";
/// By the minute: what lies between two readings counts for the later one's. Loopback is no port.
inline constexpr const char* portMinutes =
    "SELECT host, source AS port, counter, min(from_ns) AS begin_ns, max(at_ns) AS end_ns, sum(moved) AS bytes FROM (SELECT host, source, "
    "counter, at_ns, lag(at_ns) OVER reading AS from_ns, value - lag(value) OVER reading AS moved FROM (SELECT * FROM nic_counter UNION "
    "ALL "
    "SELECT * FROM ib_counter) WHERE unit = 'bytes' AND source <> 'lo' WINDOW reading AS (PARTITION BY host, source, counter ORDER BY "
    "at_ns)) WHERE moved IS NOT NULL GROUP BY host, port, counter, at_ns / 60000000000 ORDER BY begin_ns, host, port, counter";
inline constexpr const char* counters =
    "SELECT h.name AS host, n.text AS source, t.counter, t.begin_ns, t.end_ns, t.events AS readings FROM track t JOIN host h ON h.id = "
    "t.host_id LEFT JOIN name n ON n.id = t.source_id WHERE t.lane = 'counter' ORDER BY host, source, t.counter";
inline constexpr const char* calls =
    "SELECT rank, kind, name, calls, bytes, total_ns / 1e9 AS seconds FROM event_by_name ORDER BY total_ns DESC LIMIT 100";
inline constexpr const char* ledger = "SELECT what, state, reason, amount FROM ledger ORDER BY what";
inline constexpr const char* connections =
    "SELECT socket, rank, max(sent), max(received), max(resent) FROM socket_bytes GROUP BY link, socket, rank";
inline constexpr const char* queuePairs =
    "SELECT host, source, counter, min(value), max(value) FROM queue_pair_counter GROUP BY host, source, counter";
inline constexpr const char* gpuLinks =
    "SELECT at_ns, host, source, counter, value FROM gpu_counter WHERE counter LIKE 'gpu_pcie%' OR counter LIKE 'gpu_nvlink%'";
inline constexpr const char* servers = "SELECT at_ns, source, counter, value, unit FROM storage_counter";
inline constexpr const char* watched =
    "SELECT source, counter, min(value), avg(value), max(value) FROM nic_counter GROUP BY source, counter";
inline constexpr const char* steps = "SELECT rank, number, begin_ns, duration_ns FROM step_mark ORDER BY begin_ns";

/// All events of one rank that touch a piece of time.
[[nodiscard]] inline std::string moment(int rank, Interval when)
{
    return "SELECT kind, thread, name, begin_ns, end_ns FROM event WHERE rank = " + std::to_string(rank) + " AND begin_ns < " +
           std::to_string(when.end) + " AND end_ns > " + std::to_string(when.begin) + " ORDER BY begin_ns";
}

}  // namespace flowgauge::facts::questions
