// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace flowgauge::foreign {

/// The number behind the last "rank" of a file's name: 34 of "rank-34.Jul_15.pt.trace.json.gz", 1 of "trace_8_rank_1.json".
[[nodiscard]] std::optional<std::int64_t> rankOfFile(std::string_view fileName);

}  // namespace flowgauge::foreign
