// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::cli {

/// The word that a mistyped one most likely meant: at most two letters added, dropped, changed or swapped. "" when none is near.
[[nodiscard]] std::string nearest(std::string_view typed, const std::vector<std::string_view>& words);

}  // namespace flowgauge::cli
