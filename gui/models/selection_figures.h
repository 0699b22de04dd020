// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/selection.h"
#include "gui/load/snapshot.h"
#include "gui/models/table_model.h"

#include <vector>

/// What the timeline says of a selection.
namespace flowgauge::models {

[[nodiscard]] std::vector<Column> selectionColumns();
/// In the order of the answer.
[[nodiscard]] std::vector<std::vector<Cell>> selectionRows(const load::SelectionAnswer& answer);

/// "compute 61 %, exposed communication 33 %, ...; 40 % of communication is overlapped": means over the ranks (empty: all) that were
/// there. "" where no rank was.
[[nodiscard]] QString sharesOf(const load::Analysis& analysis, Interval selection, const std::vector<int>& ranks);

}  // namespace flowgauge::models
