// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/trace_reader.h"
#include "collector/store/run_store.h"

#include <cstdint>
#include <filesystem>

namespace flowgauge::foreign {

struct ExportedTrace {
    std::int64_t slices = 0, counters = 0;
    std::int64_t moved = 0;  ///< slices that overlap another of their track without lying in it: they stand on rows beside it
};

/// Writes a run as Chrome JSON, which Perfetto opens; gzip where the file's name ends in .gz. Nothing is lost: a viewer drops a slice that
/// begins in another and outlives it, so such ones get a row of their own. Counters that only grow become rates. What our import
/// reads has the names and arguments that it reads. Memory does not grow with the run. Throws Error where the file cannot be written.
[[nodiscard]] ExportedTrace exportChrome(store::RunStore& store, const std::filesystem::path& file, const Progress& progress);

}  // namespace flowgauge::foreign
