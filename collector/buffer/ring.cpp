// SPDX-License-Identifier: MIT
#include "collector/buffer/ring.h"

#include <cstring>

namespace flowgauge::buffer {

void RingWriter::putName(const Event& nameText, std::string_view text, std::uint32_t thread)
{
    Event& front = slots[head & mask];
    front = nameText;
    front.thread = thread;
    std::uint64_t at = head + 1;
    for (std::size_t done = 0; done < text.size(); done += spool::slotBytes, ++at) {
        auto* const slot = reinterpret_cast<char*>(&slots[at & mask]);
        const std::size_t left = text.size() - done;
        const std::size_t piece = left < spool::slotBytes ? left : spool::slotBytes;
        std::memcpy(slot, text.data() + done, piece);
        std::memset(slot + piece, 0, spool::slotBytes - piece);
    }
    head = at;
    if (limit < head) limit = head;  // a name may jump over the limit: the next event looks again
    ring->head.store(head, std::memory_order_release);
}

Room RingWriter::look(std::uint64_t wanted)
{
    const std::uint64_t capacity = mask + 1;
    const std::uint64_t quarter = capacity / 4;
    const std::uint64_t tail = ring->tail.load(std::memory_order_acquire);
    const std::uint64_t used = head - tail;
    if (used + wanted > capacity) {
        limit = head;
        return Room::Full;
    }
    // Between a quarter and full the writer looks every quarter: the drain may have gone back to sleep in the meantime.
    const std::uint64_t end = tail + capacity;
    const std::uint64_t next = used < quarter ? tail + quarter : head + quarter;
    limit = next < end ? next : end;
    return used < quarter ? Room::Enough : Room::Quarter;
}

void RingWriter::attach(spool::RingHeader* newRing)
{
    ring = newRing;
    slots = slotsOf(newRing);
    mask = newRing->capacity - 1;
    head = newRing->head.load(std::memory_order_relaxed);
    limit = head;
}

void formatSegment(spool::RingHeader* ring, std::uint32_t index, std::uint32_t capacity)
{
    ring->index = index;
    ring->capacity = capacity;
    std::atomic_ref(ring->magic).store(spool::segmentMagic, std::memory_order_release);
}

Waiting waitingIn(spool::RingHeader* ring)
{
    const std::uint64_t head = ring->head.load(std::memory_order_acquire);
    const std::uint64_t tail = ring->tail.load(std::memory_order_relaxed);
    const std::uint64_t from = tail & (ring->capacity - 1);
    const std::uint64_t count = head - tail;
    const std::uint64_t untilEnd = ring->capacity - from;
    const Event* const slots = slotsOf(ring);
    if (count <= untilEnd) return {tail, {slots + from, count}, {slots, 0}};
    return {tail, {slots + from, untilEnd}, {slots, count - untilEnd}};
}

}  // namespace flowgauge::buffer
