// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// What a terminal would have shown of one line, piece by piece: progress bars redraw themselves with \r and \b, and colour it.
/// A piece is cut at 64 KiB: longer ones are dumps, and no reader knows them.
[[nodiscard]] std::vector<std::string> piecesOf(std::string_view line);

/// The first JSON object of the text, as far as its braces reach; empty where there is none or it never ends.
[[nodiscard]] std::string_view objectIn(std::string_view text);

/// A number at the begin of the text, after blanks.
[[nodiscard]] std::optional<double> numberAt(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The time that a program put in front of a line, read as if its zone were UTC: "2020-06-25 22:11:55,654", "2019-10-10T14:15:16.15",
/// "2020-06-25 10:11:18 PM", "06/13/19 00:30:56". Unix ns; nothing where the first 96 characters hold none.
[[nodiscard]] std::optional<Nanos> wallClockOf(std::string_view text);

/// Seconds or milliseconds of Unix time as ns; 0 for what is no time. Whole units apart from the fraction: a double holds today
/// in ns only to 256 ns.
[[nodiscard]] Nanos unixNanos(double value, std::int64_t nanosPerUnit);

}  // namespace flowgauge::facts
