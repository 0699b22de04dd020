// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::remote {

/// A server's moment in ns since 1970; 0, as if it had told none, for what is no time of these centuries: its text may be anything.
[[nodiscard]] constexpr std::int64_t momentNs(double told, std::int64_t unitNs)
{
    constexpr double latest = 7.3e18;  // in the year 2201
    const double ns = told * static_cast<double>(unitNs);
    return ns > 0 && ns < latest ? static_cast<std::int64_t>(told) * unitNs : 0;
}

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
