// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"
#include "collector/spool/format.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// One ring, seen from its two ends. The shared truth is the RingHeader of format.h; each end keeps what only it needs.
namespace flowgauge::buffer {

/// Longest text of a name; what is longer is cut.
inline constexpr std::size_t longestName = 4096;

[[nodiscard]] inline Event* slotsOf(spool::RingHeader* ring)
{
    return reinterpret_cast<Event*>(reinterpret_cast<std::byte*>(ring) + spool::pageBytes);
}

/// What the writer found when it looked at the tail again.
enum class Room : std::uint8_t {
    Enough,
    Quarter,  ///< enough, but a quarter of the ring is waiting: wake the drain
    Full,     ///< not enough for what was asked
};

/// The owner's end: part of thread-local storage, so plain and zero at first. Owner thread only.
/// `limit` is where the fast path ends: the ring may be full there, or a quarter full, or somebody may want a word.
struct RingWriter {
    spool::RingHeader* ring;
    Event* slots;
    std::uint64_t mask;
    std::uint64_t head;   ///< the ring's own, without a load from the shared line
    std::uint64_t limit;  ///< head may go up to here before the next look

    [[nodiscard]] bool atLimit() const { return head == limit; }

    /// Asks for a slot's cache line while other things are done: the drain has read it on another core, and a store into it would wait.
    static void own(const Event* slot)
    {
#if defined(__x86_64__)
        asm volatile("prefetchw %0" : : "m"(*reinterpret_cast<const char*>(slot)));  // a no-operation where the processor lacks it
#else
        __builtin_prefetch(slot, 1);
#endif
    }

    /// Takes one event. Only below the limit.
    void put(const Event& event, std::uint32_t thread)
    {
        // Field by field: a copy in 16-byte pieces of an event just put together in 8-byte ones stalls the processor.
        Event& slot = slots[head & mask];
        slot.begin = event.begin;
        slot.end = event.end;
        slot.link = event.link;
        slot.thread = thread;
        slot.kind = event.kind;
        slot.flags = event.flags;
        for (std::size_t i = 0; i < event.arg.size(); ++i) slot.arg[i] = event.arg[i];
        ring->head.store(++head, std::memory_order_release);
        own(slots + (head & mask));
    }

    /// Takes a NameText and its text, published with one move of head: a reader sees all of it or nothing.
    /// Only after look(nameSlots(text.size())) said that there is room.
    void putName(const Event& nameText, std::string_view text, std::uint32_t thread);

    /// Reads the tail and sets the limit anew; `wanted` slots are about to be taken.
    [[nodiscard]] Room look(std::uint64_t wanted);

    /// Makes the caller the ring's writer. The sequences go on where the last owner left them.
    void attach(spool::RingHeader* newRing);
};

/// Prepares a fresh segment of zeros; the magic is stored last, so that a reader of the file never sees half a header.
void formatSegment(spool::RingHeader* ring, std::uint32_t index, std::uint32_t capacity);

/// What waits in a ring: up to two pieces, since it may wrap. Drain thread only.
struct Waiting {
    struct Piece {
        const Event* events;
        std::uint64_t count;
    };
    std::uint64_t firstSequence;
    Piece first;
    Piece second;

    [[nodiscard]] std::uint64_t count() const { return first.count + second.count; }
};
[[nodiscard]] Waiting waitingIn(spool::RingHeader* ring);

/// Gives `count` slots back to the writer.
inline void release(spool::RingHeader* ring, std::uint64_t count)
{
    ring->tail.store(ring->tail.load(std::memory_order_relaxed) + count, std::memory_order_release);
}

}  // namespace flowgauge::buffer
