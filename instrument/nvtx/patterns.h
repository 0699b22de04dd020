// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

namespace flowgauge::nvtx {

/// What a range is besides itself.
enum class Role : std::uint8_t { Range, Epoch, Step, Phase };

struct Meaning {
    Role role = Role::Range;
    bool numbered = false;  ///< `number` was in the name; without one, epochs and steps are counted
    std::int64_t number = 0;
    std::string_view phase = {};  ///< of Role::Phase; lives forever
};

/// Patterns of the user, looked at before the built-in ones (patterns.def): "epoch=lap %;step=turn %;forward=fp;none=epoch of *". The text
/// is copied, at most 2,048 bytes of it.
void setPatterns(std::string_view list);

/// What a range of that name means.
[[nodiscard]] Meaning meaningOf(std::string_view name);

/// True when the name fits the pattern; `number` is then the last one it stands for, where it has any.
[[nodiscard]] bool matchesName(std::string_view pattern, std::string_view name, Meaning& into);

}  // namespace flowgauge::nvtx
