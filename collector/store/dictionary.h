// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace flowgauge::store {

/// The distinct values of a column, where they are at most 256: sizes, tags, communicators.
class Dictionary {
public:
    static constexpr std::size_t mostValues = 256;

    /// Gives each value its index (written to `index`). False when there are too many values; `index` then holds rubbish.
    [[nodiscard]] bool build(std::span<const std::uint64_t> column, std::uint8_t* index);

    [[nodiscard]] std::span<const std::uint64_t> values() const { return m_values; }

private:
    static constexpr std::size_t slots = 1024;
    std::vector<std::uint64_t> m_values;
    std::array<std::uint16_t, slots> m_slot{};  ///< 1 + index into m_values; 0 is free
};

}  // namespace flowgauge::store
