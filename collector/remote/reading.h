// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::remote {

/// One number that a server told.
struct Reading {
    Counter counter;
    std::string place;  ///< within the source: "" the whole of it, "node 3", "client 10.0.0.7"
    std::uint64_t value;
    std::int64_t measuredNs = 0;  ///< when, by the clock of who measured it, Unix ns; 0: not told
};

/// What one answer told, and what was wrong with it without making it useless.
struct Readings {
    std::vector<Reading> all;
    std::vector<std::string> troubles;  ///< one line each, without numbers that change from time to time
};

}  // namespace flowgauge::remote
