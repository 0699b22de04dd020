// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <string_view>

namespace flowgauge::cli {

/// "12.5..30" in seconds of run time. Throws Error for what is no such piece of time, or is empty.
[[nodiscard]] Interval parseWindow(std::string_view text);

}  // namespace flowgauge::cli
