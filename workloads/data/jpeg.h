// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flowgauge::workloads {

/// Square picture, RGB, rows from the top.
struct Picture {
    int edgePx = 0;
    std::vector<std::uint8_t> rgb;
};

/// JPEG of a picture, quality 1..100. When it is shorter than `fillToBytes`, comment segments (FF FE, which decoders skip) fill it up
/// to exactly that length, so that a set has the record sizes of a real one while its pictures stay cheap to decode. A gap of less
/// than a segment's 4 bytes cannot be filled.
[[nodiscard]] std::vector<std::byte> encodeJpeg(const Picture& picture, int quality, std::size_t fillToBytes);

/// Decodes to edgePx x edgePx floats in planes (R, G, B), mean 0 and about one standard deviation 1, mirrored when asked.
/// `planes` has 3 * edgePx * edgePx elements. Throws Failure when the bytes are no JPEG.
void decodeJpeg(std::span<const std::byte> jpeg, int edgePx, bool mirrored, float* planes);

}  // namespace flowgauge::workloads
