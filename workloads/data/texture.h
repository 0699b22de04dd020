// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include "workloads/data/jpeg.h"

namespace flowgauge::workloads {

/// The numbers of the set's random choices: same seed, same set, on every machine (std distributions give no such promise).
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed) {}
    /// splitmix64 (Steele, Lea, Flood 2014).
    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
    /// 0 <= x < 1
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t m_state;
};

/// One sample of a class. A class is a colour and a stripe pattern (direction, width); a sample adds phase, brightness, a blot and
/// noise, so that a network must look at more than one pixel, and learns within an epoch or two.
[[nodiscard]] Picture drawSample(unsigned label, unsigned classes, int edgePx, Dice& dice);

}  // namespace flowgauge::workloads
