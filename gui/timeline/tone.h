// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"

#include <cstdint>
#include <string_view>

namespace flowgauge::timeline {

/// What a colour stands for; the colour itself is style's business. One meaning has one colour in every view.
enum class Tone : std::uint8_t {
    None,
    Compute,
    HiddenCommunication,
    ExposedCommunication,
    InputStall,
    Copy,
    Gap,
    Evaluation,
    Checkpoint,
    Storage,
    Idle,
    Mark,
    Unwritten,  ///< a thinned recording left it out
};
inline constexpr std::size_t toneCount = 13;

/// Of an event by its kind alone; communication counts as hidden until it is known to be exposed.
[[nodiscard]] Tone toneOf(Kind kind);

/// Of a marked phase or range by its name: compute for forward, backward, optimizer; input, evaluation, checkpoint as named.
[[nodiscard]] Tone toneOfPhase(std::string_view name);

/// Which of the shades within its tone's colour a name has: the same on every machine and in every run.
inline constexpr int shadeCount = 5;
[[nodiscard]] std::uint8_t shadeOf(std::string_view name);

/// As it is told: "compute", "hidden communication", ...
[[nodiscard]] std::string_view nameOf(Tone tone);

}  // namespace flowgauge::timeline
