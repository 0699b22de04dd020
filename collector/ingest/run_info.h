// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace flowgauge::ingest {

/// What the launcher knows of a run, kept as "key=value" lines in <run>/run.info: start_unix_ns, end_unix_ns, command,
/// directory, host, status. Absent in a run that was recorded by LD_PRELOAD alone.
using RunInfo = std::map<std::string, std::string>;

[[nodiscard]] RunInfo readRunInfo(const std::filesystem::path& run);

/// Replaces the file as a whole (written beside it, then renamed). Throws Error(path, why).
void writeRunInfo(const std::filesystem::path& run, const RunInfo& info);

/// A number of it, or nothing.
[[nodiscard]] std::optional<std::int64_t> numberOf(const RunInfo& info, const std::string& key);

}  // namespace flowgauge::ingest
