// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"

namespace flowgauge::store {

/// Fills `describe`: a sentence for every table, view and column, from descriptions.def, kinds.def and counters.def.
void describeAll(Database& database);

}  // namespace flowgauge::store
