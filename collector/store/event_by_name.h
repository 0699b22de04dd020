// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/table_function.h"

namespace flowgauge::store {

/// event_by_name(begin_ns, end_ns): sums by process, kind and name over the events that overlap the window (no window: all).
extern const TableFunction eventByName;

}  // namespace flowgauge::store
