// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// How far the hosts' clocks are apart and how well that is known, in a few sentences; "" for one host.
[[nodiscard]] std::string clockText(const std::vector<findings::ClockRow>& clocks);

}  // namespace flowgauge::report
