// SPDX-License-Identifier: MIT
#include "workloads/train/schedule.h"
#include <algorithm>

namespace flowgauge::workloads {

double Schedule::rateAt(std::uint64_t step) const
{
    if (step <= warmupSteps) return base * static_cast<double>(step) / static_cast<double>(warmupSteps);
    const auto decaying = static_cast<double>(std::max<std::uint64_t>(steps - std::min(steps, warmupSteps), 1));
    const double left = std::max(0.0, 1.0 - static_cast<double>(step - 1 - warmupSteps) / decaying);
    return base * left * left;
}

}  // namespace flowgauge::workloads
