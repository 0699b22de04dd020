// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/table_function.h"

namespace flowgauge::store {

/// overlap(kind_a, kind_b, begin_ns, end_ns): per process, how long a ran, b ran, and both did.
extern const TableFunction overlap;

}  // namespace flowgauge::store
