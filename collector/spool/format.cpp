// SPDX-License-Identifier: MIT
#include "collector/spool/format.h"

#include <cstring>

namespace flowgauge::spool {
namespace {
constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio: odd, spreads well
}

void Checksum::add(const void* piece, std::size_t bytes)
{
    // Four lanes, since one multiplication at a time would make the checksum the dearest part of a drain.
    std::array<std::uint64_t, 4> lane = m_lane;
    const auto* at = static_cast<const unsigned char*>(piece);
    for (std::size_t done = 0; done + 32 <= bytes; done += 32)
        for (std::size_t i = 0; i < 4; ++i) {
            std::uint64_t word;
            std::memcpy(&word, at + done + i * 8, 8);
            lane[i] = (lane[i] ^ word) * factor;
            lane[i] ^= lane[i] >> 29;
        }
    m_lane = lane;
    m_bytes += bytes;
}

std::uint64_t Checksum::value() const
{
    std::uint64_t sum = m_bytes;
    for (const std::uint64_t part : m_lane) sum = (sum ^ part) * factor;
    return sum ^ (sum >> 32);
}

std::uint64_t checksumOf(const void* payload, std::size_t bytes)
{
    Checksum sum;
    sum.add(payload, bytes);
    return sum.value();
}

}  // namespace flowgauge::spool
