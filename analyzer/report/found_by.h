// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"

#include <string>

namespace flowgauge::report {

/// What told the epoch, and how sure that is where it is not certain: "rhythm of traffic (87 %)".
[[nodiscard]] std::string foundBy(const findings::EpochRow& row);

}  // namespace flowgauge::report
