// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"
#include "collector/store/database.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

struct sqlite3_module;

namespace flowgauge::store {

/// A value of a result row; monostate is NULL.
using Cell = std::variant<std::monostate, std::int64_t, std::string>;
using Row = std::vector<Cell>;

/// A table-valued function: a name, the columns, how many of them (the last ones) are its parameters, and what it answers.
/// The answer is computed at once: it is small, what it sums is not.
struct TableFunction {
    static constexpr std::size_t mostParameters = 4;
    using Arguments = std::array<Cell, mostParameters>;  ///< NULL where none was given

    const char* name;
    const char* declaration;  ///< CREATE TABLE with HIDDEN parameters at the end
    int columns;              ///< without the parameters
    int parameters;
    std::vector<Row> (*answer)(Database& database, const Arguments& arguments);
};

/// The module of every TableFunction; the function itself is the module's data.
[[nodiscard]] const sqlite3_module* tableFunctionModule();

/// The window of two optional arguments: an absent one is open.
[[nodiscard]] std::optional<Interval> windowOf(const Cell& begin, const Cell& end);

}  // namespace flowgauge::store
