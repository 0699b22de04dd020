// SPDX-License-Identifier: MIT
#include "analyzer/report/found_by.h"

#include "analyzer/report/units.h"

namespace flowgauge::report {

std::string foundBy(const findings::EpochRow& row)
{
    constexpr double certain = 0.995;
    return row.confidence >= certain ? row.foundBy : row.foundBy + " (" + share(row.confidence) + ")";
}

}  // namespace flowgauge::report
