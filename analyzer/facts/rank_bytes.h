// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/rank_facts.h"

#include <cstddef>
#include <span>
#include <vector>

namespace flowgauge::facts {

/// A rank's facts on their way to another process of the same program on the same kind of machine: no format to keep.
[[nodiscard]] std::vector<std::byte> bytesOf(const RankFacts& rank);
/// Throws Error for bytes that are cut off or too many.
[[nodiscard]] RankFacts rankOf(std::span<const std::byte> bytes);

}  // namespace flowgauge::facts
