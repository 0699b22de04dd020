// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace flowgauge::store {

inline constexpr int bucketsPerTileLog2 = 9;
inline constexpr std::size_t bucketsPerTile = std::size_t{1} << bucketsPerTileLog2;
inline constexpr int levelFactorLog2 = 2;  ///< each level is 4 times coarser than the one below

/// A bucket while it is being summed: busy in ns instead of a share.
struct TileBucket : Bucket {
    Nanos busyNs = 0;
};

/// 512 neighbouring buckets of one level.
using Tile = std::array<TileBucket, bucketsPerTile>;

/// tile.data:
///
///     u8 1 | u8 shift of longest | u8 shift of bytes | u8 0 | u16 leaders | leaders x (u16 kind, i64 name)
///     | one zstd frame of 16 byte planes of 512 bytes: events u32, busy u16, leader u16, longest u32, bytes u32
///
/// busy is in 65535ths of the width, never 0 where anything ran; leader is 1 + its index, 0 for an empty bucket; longest and
/// bytes lose their lowest `shift` bits where one of the tile passes 32 (4.3 s, 4 GiB).
[[nodiscard]] std::vector<std::uint8_t> encodeTile(const Tile& tile, Nanos bucketWidth);

/// The inverse, as far as it goes. Throws Error where the data is damaged.
void decodeTile(std::span<const std::uint8_t> data, Nanos bucketWidth, Tile& tile);

}  // namespace flowgauge::store
