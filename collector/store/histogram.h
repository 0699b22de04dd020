// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace flowgauge::store {

/// name_stat.histogram: u8 number of the first bin that is not 0, then u32 little-endian counts up to the last such bin.
/// A name that was used once costs 5 bytes instead of 256.
using Histogram = std::array<std::uint32_t, 64>;
[[nodiscard]] std::vector<std::uint8_t> packHistogram(const Histogram& bins);

/// Bins beyond the last are ignored, a cut count is too: the input may be damaged.
[[nodiscard]] Histogram unpackHistogram(std::span<const std::uint8_t> packed);

}  // namespace flowgauge::store
