// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"

#include <string_view>

namespace flowgauge::mark {

/// The key of a phase's name: recorded at its first use in the process, found again afterwards (phase names come back thousands of
/// times). Names are told apart by 64 bits of hash. When the fixed table is full, further names are lost (and counted): key 0.
[[nodiscard]] NameKey phaseName(std::string_view text);

/// In a child after fork: its own spool knows no names yet.
void forgetPhaseNames();

}  // namespace flowgauge::mark
