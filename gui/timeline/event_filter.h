// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::timeline {

/// What the search box asks for: words, and terms like dur>1ms, bytes<=4k, rank:3, name:nccl*. All of them have to hold; !word: must not.
struct EventFilter {
    static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

    std::string words;               ///< for passes(), of name and kind
    std::vector<std::string> names;  ///< patterns, one of which the name has to fit; * stands for anything; empty: all
    Nanos shortest = 0, longest = unlimited;
    std::int64_t leastBytes = -1, mostBytes = unlimited;  ///< -1: also what moves none
    std::vector<int> ranks;                               ///< empty: all
    std::string problem;                                  ///< a term that could not be understood, in a sentence; "" for none

    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool admitsName(std::string_view name, std::string_view kind) const;
    [[nodiscard]] bool admitsFigures(Nanos duration, std::int64_t bytes) const
    {
        return duration >= shortest && duration <= longest && bytes >= leastBytes && bytes <= mostBytes;
    }
    [[nodiscard]] bool admitsRank(int rank) const;  ///< -1: of no rank
};

[[nodiscard]] EventFilter parseFilter(std::string_view text);

/// "nccl*Sum" against a name; case does not matter; a pattern without * has to be all of it.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view name);

}  // namespace flowgauge::timeline
