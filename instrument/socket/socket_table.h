// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"

#include <atomic>
#include <cstdint>

/// Which descriptors of this process are TCP connections, and what they are called. Free of locks; any thread and any signal handler may
/// use it. A number that is closed where no hook stands is found out by the socket's cookie.
namespace flowgauge::sockets {

/// A word holds how often the number was taken, and what is known of it: who has read it once sees whether it still means the same.
using Word = std::uint32_t;
inline constexpr Word knownBit = 1;
inline constexpr Word inheritedBit = 2;  ///< of a known one: open since before a fork, its parent tells of it as well
inline constexpr Word fillingBit = 2;    ///< of one that is not known yet: somebody is filling it
inline constexpr Word generationStep = 4;

struct Slot {
    std::atomic<Word> word;
    std::atomic<std::uint64_t> identity;  ///< key of the name, and the generation that it belongs to; 0: not named
    std::atomic<std::uint64_t> cookie;    ///< of the socket that was named
    std::atomic<Ticks> seenAt;            ///< of the last reading, or when it was connected; 0: found open
    std::atomic<std::int64_t> told;       ///< sum of the last numbers that were recorded, and 1; 0: none yet
    std::atomic<Ticks> limitsAt;          ///< when limits were recorded last; 0: never
};

namespace table {

inline constexpr int size = 65'536;

/// nullptr beyond the table, and before anything was put into it.
[[nodiscard]] Slot* slotOf(int fd);
/// The highest descriptor that the table may hold, -1 for an empty one.
[[nodiscard]] int highest();
/// A descriptor that is a connection since `at` (0: nobody knows), unless it is known already. nullptr: it was, or there is no room.
Slot* enter(int fd, Ticks at);
/// True for the one who takes the number out: nobody else may then tell of the word.
[[nodiscard]] bool leave(Slot& slot, Word word);
[[nodiscard]] inline bool isKnown(Word word) { return (word & knownBit) != 0; }
[[nodiscard]] inline bool isTaken(Word word) { return (word & (knownBit | fillingBit)) != 0; }

/// Another socket than the one that was told of has the number: it was closed where no hook stands.
void renew(Slot& slot);

/// The key that was given to the socket of that word, 0 when there is none.
[[nodiscard]] NameKey keyOf(const Slot& slot, Word word);
void setKey(Slot& slot, Word word, NameKey key);

/// In a child after fork: names are its own, and what is open is its parent's as well.
void inherit();

}  // namespace table

}  // namespace flowgauge::sockets
