// SPDX-License-Identifier: MIT
#include "collector/spool/format.h"

#include <cstring>

namespace flowgauge::spool {

std::uint64_t checksumOf(const void* payload, std::size_t bytes)
{
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio: odd, spreads well
    // Four lanes, since one multiplication at a time would make the checksum the dearest part of a drain.
    std::array<std::uint64_t, 4> lane{1, 2, 3, 4};
    const auto* at = static_cast<const unsigned char*>(payload);
    for (std::size_t done = 0; done + 32 <= bytes; done += 32)
        for (std::size_t i = 0; i < 4; ++i) {
            std::uint64_t word;
            std::memcpy(&word, at + done + i * 8, 8);
            lane[i] = (lane[i] ^ word) * factor;
            lane[i] ^= lane[i] >> 29;
        }
    std::uint64_t sum = bytes;
    for (const std::uint64_t part : lane) sum = (sum ^ part) * factor;
    return sum ^ (sum >> 32);
}

}  // namespace flowgauge::spool
