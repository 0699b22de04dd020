// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/recorder.h"

#include <array>
#include <atomic>
#include <cstring>

namespace flowgauge::buffer {

__extension__ using Wide = unsigned __int128;

/// 64 bits that tell texts apart, 8 bytes at a time: names of kernels have hundreds of letters, and every record brings one.
[[nodiscard]] inline std::uint64_t hashOf(std::string_view text)
{
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    std::uint64_t hash = odd ^ text.size();
    const auto mix = [&hash](std::uint64_t word) {
        const auto product = static_cast<Wide>(hash ^ word) * odd;
        hash = static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
    };
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t word;
        std::memcpy(&word, text.data() + at, 8);
        mix(word);
    }
    std::uint64_t rest = 0;
    if (at < text.size()) std::memcpy(&rest, text.data() + at, text.size() - at);
    mix(rest + 1);
    return hash | 1;
}

/// Texts that come back thousands of times, each recorded once: a fixed table, found by content, so that it does not matter whether the
/// memory they lie in lives on. Any thread; nobody waits. What a full table does not hold has the key 0, and is counted (NameLost).
template <NameClass nameClass, std::size_t places>
class Interned {
public:
    constexpr Interned() = default;

    [[nodiscard]] NameKey keyOf(std::string_view text)
    {
        const std::uint64_t hash = hashOf(text);
        for (std::size_t step = 0; step < mostSteps; ++step) {
            Place& place = m_table[(hash / 2 + step) % places];
            std::uint64_t found = place.hash.load(std::memory_order_acquire);
            if (found == 0 && place.hash.compare_exchange_strong(found, hash, std::memory_order_acq_rel)) return take(place, text);
            if (found != hash) continue;
            // Another thread may be recording the very name: then it is recorded twice, under two keys, which harms nobody.
            const NameKey key = place.key.load(std::memory_order_acquire);
            return key != 0 ? key : name(nameClass, text);
        }
        lose(DropReason::NameLost);
        return 0;
    }

    /// In a child after fork: its own spool knows no names yet.
    void forgetAfterFork()
    {
        for (Place& place : m_table) {
            if (place.hash.load(std::memory_order_relaxed) == 0) continue;  // leaves untouched pages shared with the parent
            place.key.store(0, std::memory_order_relaxed);
            place.hash.store(0, std::memory_order_relaxed);
        }
    }

private:
    static constexpr std::size_t mostSteps = places < 256 ? places : 256;  ///< a full table is not searched as a whole for each text
    struct Place {
        std::atomic<std::uint64_t> hash{0};  ///< 0 free
        std::atomic<NameKey> key{0};         ///< 0 while the thread that took the place is recording the name
    };

    NameKey take(Place& place, std::string_view text)
    {
        const NameKey key = name(nameClass, text);
        if (key == 0)
            place.hash.store(0, std::memory_order_release);  // could not be recorded now: the next use tries again
        else
            place.key.store(key, std::memory_order_release);
        return key;
    }

    std::array<Place, places> m_table{};
};

}  // namespace flowgauge::buffer
