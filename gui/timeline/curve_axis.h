// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/row.h"

namespace flowgauge::timeline {

/// The scale of a row of curves, from 0 up to a round value.
struct CurveAxis {
    double end = 1;
    bool showsCeiling = false;  ///< false: the row has none, or one so far above that it is told and not drawn
};

/// most: the largest value that is to be seen.
[[nodiscard]] CurveAxis curveAxis(const Row& row, double most);

}  // namespace flowgauge::timeline
