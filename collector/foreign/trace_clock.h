// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/trace_reader.h"
#include "collector/record/time.h"

#include <filesystem>
#include <optional>

namespace flowgauge::foreign {

/// How a trace's times become Unix ns. Both are known only when the whole text has been seen: the base stands behind the events, and
/// these are not sorted. So the text is looked through once before it is read.
struct TraceClock {
    Nanos baseNs = 0;              ///< baseTimeNanoseconds; 0 where times are Unix time themselves
    std::optional<Nanos> firstNs;  ///< the earliest begin above 0, Unix ns; nothing where the trace has no events
};
[[nodiscard]] TraceClock clockOf(const std::filesystem::path& file, const Progress& progress);

}  // namespace flowgauge::foreign
