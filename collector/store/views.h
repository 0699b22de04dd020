// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/kind.h"
#include "collector/store/database.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::store {

/// A column of a generated view: its name, what it selects, and what it means.
struct ViewColumn {
    std::string name, expression, sentence;
};

/// The view of a kind (`file_read`, `allreduce`, ...): who, when, and the arguments by name. No value for meta kinds, for
/// counters (their views go by family) and where a table has the kind's name already (`communicator`).
[[nodiscard]] std::optional<std::vector<ViewColumn>> kindViewColumns(const KindRow& row);

/// The view of a family of counters (`nic_counter`, ...).
[[nodiscard]] std::vector<ViewColumn> counterViewColumns();
[[nodiscard]] std::string counterViewName(CounterFamily family);

/// Every family once, in the order of counters.def.
[[nodiscard]] std::vector<CounterFamily> counterFamilies();

/// "bytes", "count", ...: what value * scale is.
[[nodiscard]] std::string_view unitName(CounterUnit unit);

/// All of them, over the virtual table `event`, and the rows of counter_kind that they need.
void createViews(Database& database);

}  // namespace flowgauge::store
