// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log/read_log.h"

#include <sstream>
#include <string>

namespace flowgauge::facts {

/// A log that nobody recorded: the facts of its text, times counted from its first.
inline LogFacts logOf(const std::string& text)
{
    std::vector<PrintedLine> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back({-1, line});
    const Nanos zero = timeLines(lines);
    return readLog(lines, zero, {});
}

inline constexpr Nanos second = 1'000'000'000;

}  // namespace flowgauge::facts
