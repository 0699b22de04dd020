// SPDX-License-Identifier: MIT
#include "collector/foreign/rank_of_file.h"

#include <charconv>

namespace flowgauge::foreign {

std::optional<std::int64_t> rankOfFile(std::string_view fileName)
{
    std::size_t at = fileName.rfind("rank");
    if (at == std::string_view::npos) return std::nullopt;
    at += 4;
    if (at < fileName.size() && (fileName[at] == '-' || fileName[at] == '_' || fileName[at] == '.' || fileName[at] == '=')) ++at;
    std::int64_t rank = 0;
    const auto [stop, problem] = std::from_chars(fileName.data() + at, fileName.data() + fileName.size(), rank);
    return problem == std::errc() && rank >= 0 ? std::optional(rank) : std::nullopt;
}

}  // namespace flowgauge::foreign
