// SPDX-License-Identifier: MIT
#include "instrument/mark/phase_names.h"

#include "collector/buffer/recorder.h"

#include <array>
#include <atomic>

namespace flowgauge::mark {

namespace {

struct Place {
    std::atomic<std::uint64_t> hash;  ///< 0 free
    std::atomic<NameKey> key;         ///< 0 while the thread that took the place is recording the name
};
constinit std::array<Place, 512> table{};

std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
    return hash | 1;
}

}  // namespace

NameKey phaseName(std::string_view text)
{
    const std::uint64_t hash = hashOf(text);
    for (std::size_t step = 0; step < table.size(); ++step) {
        Place& place = table[(hash + step) % table.size()];
        std::uint64_t found = place.hash.load(std::memory_order_acquire);
        if (found == 0 && place.hash.compare_exchange_strong(found, hash, std::memory_order_acq_rel)) {
            const NameKey key = buffer::name(NameClass::Phase, text);
            if (key == 0)
                place.hash.store(0, std::memory_order_release);  // could not be recorded now: the next use tries again
            else
                place.key.store(key, std::memory_order_release);
            return key;
        }
        if (found != hash) continue;
        // Another thread may be recording the very name: then it is recorded twice, under two keys, which harms nobody.
        const NameKey key = place.key.load(std::memory_order_acquire);
        return key != 0 ? key : buffer::name(NameClass::Phase, text);
    }
    buffer::lose(DropReason::NameLost);
    return 0;
}

void forgetPhaseNames()
{
    for (Place& place : table) {
        place.key.store(0, std::memory_order_relaxed);
        place.hash.store(0, std::memory_order_relaxed);
    }
}

}  // namespace flowgauge::mark
