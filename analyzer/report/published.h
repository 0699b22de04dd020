// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/document.h"
#include "analyzer/study/study.h"

namespace flowgauge::report {

/// A study's figures beside those that were published, and the published trends as dashed bars from the study's own first value on.
[[nodiscard]] Section publishedSection(const study::Study& study, const study::Published& published);

}  // namespace flowgauge::report
