// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"

#include <cstdint>
#include <iosfwd>

namespace flowgauge::cli {

enum class RowFormat : std::uint8_t { Table, Csv, Json };

/// Steps a statement to its end and prints its rows as they come; a table looks at the first rows to find its widths.
void printRows(store::Statement& statement, RowFormat format, std::ostream& out);

}  // namespace flowgauge::cli
