// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"

#include <array>
#include <vector>

namespace flowgauge::findings {

/// The mean step of those that begin in one slice of time: ns of each part.
using StepParts = std::array<double, partCount>;

/// A run in equal slices of time, for charts. Bytes per second of all hosts; an empty list was not measured.
struct OverTime {
    Interval when;
    std::vector<double> asked, fetched, disks, received, sent;
    std::vector<StepParts> steps;  ///< all 0 where no step begins; empty where no steps are known
};

/// An epoch's place on the time line.
struct EpochPlace {
    std::int64_t number = 0;
    Interval when;
};

}  // namespace flowgauge::findings
