// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/histogram.h"
#include "collector/store/run_store.h"

#include <string>
#include <vector>

namespace flowgauge::facts {

/// Calls that took bytes of one data file on one track.
struct FileReads {
    store::Id track = 0, file = 0;
    std::string path;
    std::int64_t calls = 0, bytes = 0;
    Nanos time = 0, longest = 0;  ///< durations added up; the longest
    store::Histogram byLog2{};    ///< calls by bit_width(ns): [1] 1 ns, [11] 1024-2047 ns
};

/// Of the whole run, in order of path. Reads sums, not events.
[[nodiscard]] std::vector<FileReads> fileReads(store::RunStore& store);

}  // namespace flowgauge::facts
