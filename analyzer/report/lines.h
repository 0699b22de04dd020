// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Text on a grid of terminal columns. Every character we print is one column wide; bytes are not characters (UTF-8).
namespace flowgauge::report {

/// Columns that a text takes.
[[nodiscard]] int columnsOf(std::string_view text);

/// The text with spaces behind (or before) it up to that many columns; longer texts are left alone.
[[nodiscard]] std::string padded(std::string_view text, int columns);
[[nodiscard]] std::string paddedLeft(std::string_view text, int columns);

/// At most that many columns, the end replaced by "…".
[[nodiscard]] std::string cut(std::string_view text, int columns);

/// Breaks at spaces so that each line takes at most `width` columns, but not within a quantity ("24 % (± 4 %)", "1 h 12 min",
/// "rank 3"); what is longer stands alone. Never empty.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int width);

/// For a page that breaks its lines itself: no-break spaces within each quantity, as wrapped() keeps them together.
[[nodiscard]] std::string unbroken(std::string_view text);

/// Rows as a table: columns right aligned, two spaces between, `indent` before. Cells may be missing.
[[nodiscard]] std::vector<std::string> table(const std::vector<std::vector<std::string>>& rows, int indent);

}  // namespace flowgauge::report
