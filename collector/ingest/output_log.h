// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"
#include "collector/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace flowgauge::ingest {

/// One record of <run>/output.idx: a piece of <run>/output.log, as one read of the job's output returned it. The log is
/// written before its record, so a record always describes bytes that are there.
///
///   worked example: the job printed 12 bytes on stderr at Unix time 1.5 s, behind 100 earlier bytes:
///   offset=100 realtimeNs=1500000000 bytes=12 stream=2
struct OutputPiece {
    std::uint64_t offset;     ///< in output.log
    std::int64_t realtimeNs;  ///< CLOCK_REALTIME when it was read; 0: unknown (the job wrote into a file of its own)
    std::uint32_t bytes;
    std::uint32_t stream;  ///< 1 stdout, 2 stderr, 3 both (a terminal)
};
static_assert(sizeof(OutputPiece) == 24);

/// More lines than this are counted in the ledger instead of stored.
inline constexpr std::int64_t mostOutputLines = 200'000;

/// Python's sqlite3 refuses to read a text that is not UTF-8, and a zero byte would end it: both become '?'.
[[nodiscard]] std::string readable(std::string_view text);

/// Puts what the job printed into output_line, replacing what was there. A line's time is that of the piece in which it
/// begins; carriage returns end lines as well (progress bars). In one transaction of its own; does nothing without a log.
void storeOutput(const std::filesystem::path& run, store::RunStore& store, Nanos tZeroUnixNs);

}  // namespace flowgauge::ingest
