// SPDX-License-Identifier: MIT
#include "collector/ingest/rank_environment.h"

#include <charconv>

namespace flowgauge::ingest {
namespace {

std::optional<std::int64_t> numberAt(const std::vector<std::string>& environment, std::string_view key)
{
    const auto text = valueOf(environment, key);
    if (!text || text->empty()) return std::nullopt;
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (problem != std::errc() || end != text->data() + text->size() || number < 0) return std::nullopt;
    return number;
}

}  // namespace

std::optional<std::string_view> valueOf(const std::vector<std::string>& environment, std::string_view key)
{
    if (key.empty()) return std::nullopt;
    for (const std::string& text : environment)
        if (text.size() > key.size() && text[key.size()] == '=' && std::string_view(text).starts_with(key))
            return std::string_view(text).substr(key.size() + 1);
    return std::nullopt;
}

RankFacts rankOf(const std::vector<std::string>& environment)
{
    for (const RankVariables& row : rankVariables) {
        const auto rank = numberAt(environment, row.rank);
        if (!rank) continue;
        return {rank, numberAt(environment, row.localRank), numberAt(environment, row.worldSize), "env:" + std::string(row.rank)};
    }
    return {};
}

}  // namespace flowgauge::ingest
