// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/summary.h"
#include "analyzer/report/document.h"

namespace flowgauge::report {

/// Epochs with their bytes, reads beside them, collectives, and the parts of time by rank. Without blocks where none is known.
[[nodiscard]] Section byteSection(const findings::RunSummary& summary);

}  // namespace flowgauge::report
