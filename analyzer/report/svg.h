// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/document.h"

#include <string>
#include <string_view>

namespace flowgauge::report {

/// A chart as an inline SVG element that takes its colours from the page. "" when it has no values.
[[nodiscard]] std::string svgOf(const Chart& chart);

/// Text inside of HTML, and inside of a double-quoted attribute.
[[nodiscard]] std::string escaped(std::string_view text);

/// The CSS class of a paint: "compute", "communication", ...
[[nodiscard]] std::string_view className(Paint paint);

/// Round values that divide [0, most] into about `wanted` pieces; the last one is at least `most`.
[[nodiscard]] std::vector<double> ticksUpTo(double most, int wanted);

}  // namespace flowgauge::report
