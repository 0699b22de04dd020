// SPDX-License-Identifier: MIT
#include "analyzer/cli/suggestion.h"

#include <algorithm>

namespace flowgauge::cli {
namespace {

/// Optimal string alignment distance: insertions, deletions, changes, and swaps of neighbours.
std::size_t distance(std::string_view from, std::string_view to)
{
    std::vector<std::vector<std::size_t>> cost(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= to.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i)
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t change = from[i - 1] == to[j - 1] ? 0 : 1;
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[from.size()][to.size()];
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string_view>& words)
{
    constexpr std::size_t atMost = 2;
    constexpr std::size_t longest = 64;  // nobody mistypes that; keeps the table small
    if (typed.empty() || typed.size() > longest) return "";
    std::size_t least = std::min(atMost + 1, typed.size());
    std::string_view best;
    for (const std::string_view word : words)
        if (const std::size_t found = distance(typed, word); found < least) {
            least = found;
            best = word;
        }
    return std::string(best);
}

}  // namespace flowgauge::cli
