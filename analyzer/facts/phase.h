// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace flowgauge::facts {

/// Marked phases that figures are made of. Any other is only shown, and told less closely in very large runs: what is asked for has to
/// stand here.
enum class Phase : std::uint8_t { Forward, Backward, Optimizer, Compute, Communication, Input, Evaluation, Checkpoint, Shuffle };

/// As jobs mark them, in the order of Phase.
inline constexpr std::array<std::string_view, 9> phaseNames{"forward", "backward",   "optimizer",  "compute", "communication",
                                                            "input",   "evaluation", "checkpoint", "shuffle"};
static_assert(phaseNames.size() == static_cast<std::size_t>(Phase::Shuffle) + 1);

[[nodiscard]] inline std::string nameOf(Phase phase) { return std::string(phaseNames[static_cast<std::size_t>(phase)]); }
[[nodiscard]] inline bool isAskedFor(std::string_view phase)
{
    return std::find(phaseNames.begin(), phaseNames.end(), phase) != phaseNames.end();
}

}  // namespace flowgauge::facts
