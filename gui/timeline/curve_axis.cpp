// SPDX-License-Identifier: MIT
#include "gui/timeline/curve_axis.h"

#include "gui/timeline/chart.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::timeline {

namespace {

double roundUp(double value)
{
    if (!(value > 0)) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.5})
        if (value <= step * power) return step * power;
    return 10 * power;
}

}  // namespace

CurveAxis curveAxis(const Row& row, double most)
{
    if (row.unit == Unit::Share) return {1, false};
    const bool shows = row.ceiling > 0 && isInSight(row.ceiling, most);
    return {roundUp(shows ? std::max(most, row.ceiling) : most), shows};
}

}  // namespace flowgauge::timeline
