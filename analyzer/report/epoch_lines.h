// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"
#include "analyzer/report/page.h"

namespace flowgauge::report {

/// The epochs as a table, and what was read beside them.
void epochs(const findings::RunSummary& summary, Page& page);

}  // namespace flowgauge::report
