// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/trace_event.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace flowgauge::foreign {

/// Called with 0..1 now and then; return false to stop.
using Progress = std::function<bool(double share)>;

struct TraceText {
    std::uint64_t bytes = 0;  ///< of JSON
    bool cutOff = false;      ///< the text ends in the middle: what was there has been read
};

/// Reads a Chrome trace (an object with traceEvents, or the bare array), plain or gzip, event by event. Memory does not grow with the
/// file. Throws Error (file, byte, what is wrong) for what is no JSON, and where it was stopped.
TraceText readTrace(const std::filesystem::path& file, TraceSink& sink, const Progress& progress);

}  // namespace flowgauge::foreign
