// SPDX-License-Identifier: MIT
#include "collector/store/dictionary.h"

namespace flowgauge::store {

bool Dictionary::build(std::span<const std::uint64_t> column, std::uint8_t* index)
{
    m_slot.fill(0);
    m_values.clear();
    for (std::size_t i = 0; i < column.size(); ++i) {
        const std::uint64_t value = column[i];
        std::size_t at = (value * 0x9E3779B97F4A7C15ULL) >> 54;  // Fibonacci hashing: the top 10 bits
        while (m_slot[at] != 0 && m_values[m_slot[at] - 1U] != value) at = (at + 1) % slots;
        if (m_slot[at] == 0) {
            if (m_values.size() == mostValues) return false;
            m_values.push_back(value);
            m_slot[at] = static_cast<std::uint16_t>(m_values.size());
        }
        index[i] = static_cast<std::uint8_t>(m_slot[at] - 1U);
    }
    return true;
}

}  // namespace flowgauge::store
