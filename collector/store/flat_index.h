// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"
#include "collector/store/stored_event.h"

#include <cstdint>
#include <vector>

namespace flowgauge::store {

static_assert(kindCount <= 64);

/// A kind and a name as one word.
[[nodiscard]] constexpr std::uint64_t kindNameKey(Kind kind, Id name)
{
    return static_cast<std::uint64_t>(name) * 64 + static_cast<std::uint64_t>(kind);
}
[[nodiscard]] constexpr Kind kindOfKey(std::uint64_t key) { return static_cast<Kind>(key % 64); }
[[nodiscard]] constexpr Id nameOfKey(std::uint64_t key) { return static_cast<Id>(key / 64); }

/// Numbers keys in the order in which they are first met: an open-addressing table for loops over events, where
/// unordered_map cost more than all the rest of the loop.
class FlatIndex {
public:
    FlatIndex() { clear(); }

    /// The number of a key; keys().size() grows by one when it is new.
    [[nodiscard]] std::size_t operator[](std::uint64_t key)
    {
        std::size_t at = slotOf(key);
        while (m_slots[at] != 0) {
            const std::size_t known = m_slots[at] - 1U;
            if (m_keys[known] == key) return known;
            at = (at + 1) & (m_slots.size() - 1);
        }
        m_keys.push_back(key);
        m_slots[at] = static_cast<std::uint32_t>(m_keys.size());
        if (m_keys.size() * 2 > m_slots.size()) grow();
        return m_keys.size() - 1;
    }

    [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return m_keys; }

    void clear()
    {
        m_keys.clear();
        m_slots.assign(leastSlots, 0);
        m_shift = 64 - 8;
    }

private:
    static constexpr std::size_t leastSlots = 256;

    [[nodiscard]] std::size_t slotOf(std::uint64_t key) const { return key * 0x9E3779B97F4A7C15ULL >> m_shift; }  // Fibonacci hashing

    void grow()
    {
        m_slots.assign(m_slots.size() * 2, 0);
        --m_shift;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            std::size_t at = slotOf(m_keys[i]);
            while (m_slots[at] != 0) at = (at + 1) & (m_slots.size() - 1);
            m_slots[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    std::vector<std::uint64_t> m_keys;
    std::vector<std::uint32_t> m_slots;  ///< 1 + number; 0 is free
    unsigned m_shift = 0;
};

}  // namespace flowgauge::store
