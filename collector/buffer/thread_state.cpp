// SPDX-License-Identifier: MIT
#include "collector/buffer/thread_state.h"

#include "collector/buffer/drain.h"
#include "collector/buffer/process.h"
#include "collector/record/makers.h"
#include "collector/record/raw.h"

#include <pthread.h>
#include <sys/prctl.h>

namespace flowgauge::buffer::detail {

constinit thread_local ThreadState threadState{};

namespace {

/// A thread that was refused a ring asks again after so many events: each try is a few system calls.
constexpr std::uint32_t refusedEvents = 4096;

void count(ThreadState& me, DropReason reason)
{
    if (me.writer.ring == nullptr) return lose(reason);
    me.writer.ring->lost[static_cast<std::size_t>(reason)].fetch_add(1, std::memory_order_relaxed);
}

void putName(ThreadState& me, NameKey key, NameClass nameClass, std::string_view text)
{
    me.writer.putName(nameText(now(), key, nameClass, text.size()), text, me.thread);
}

[[nodiscard]] NameKey nextName() { return process.lastName.fetch_add(1, std::memory_order_relaxed) + 1; }

/// Writes down whose events follow. A ring that was just taken has room for it.
void introduce(ThreadState& me)
{
    std::array<char, 16> name{};
    raw::call(SYS_prctl, PR_GET_NAME, name.data(), 0UL, 0UL, 0UL);
    const std::string_view text(name.data());
    if (me.writer.look(spool::nameSlots(text.size()) + 1) == Room::Full) return;
    const NameKey key = nextName();
    putName(me, key, NameClass::Thread, text);
    me.writer.put(threadStart(now(), me.thread, key), me.thread);
}

void own(ThreadState& me, spool::RingHeader* ring)
{
    ring->thread.store(me.thread, std::memory_order_relaxed);
    me.writer.attach(ring);
    introduce(me);
}

/// The key whose destructor tells us that a thread ends. -1: none could be had, the drain then finds dead threads by itself.
constinit std::atomic<std::int64_t> endKey{-1};
/// Values of keys below it lie in the thread itself; beyond, the C library would allocate inside a hook.
constexpr pthread_key_t keysWithoutAllocation = 32;

void threadEnds(void*) { retireRing(threadState); }

void watchThreadEnd()
{
    const std::int64_t key = endKey.load(std::memory_order_relaxed);
    if (key >= 0) (void)::pthread_setspecific(static_cast<pthread_key_t>(key), &threadState);
}

bool refuse(ThreadState& me, DropReason reason)
{
    me.refused = refusedEvents;
    count(me, reason);
    return false;
}

bool takeFirstRing(ThreadState& me)
{
    if (me.refused > 0) return --me.refused, count(me, DropReason::NoRing), false;
    // A child of vfork may only use what its parent's thread already has: what it started here would end with its exec.
    if (raw::processId() != process.pid.load(std::memory_order_relaxed)) return count(me, DropReason::NoRing), false;
    if (!startProcess()) return refuse(me, DropReason::NoRing);
    const Claim outcome = takeRing(me, process.ringSlots);
    if (outcome == Claim::Done) return true;
    return refuse(me, outcome == Claim::DiskFull ? DropReason::SpoolFull : DropReason::NoRing);
}

/// Room for `wanted` slots, by whatever it takes. What could not be is counted.
bool makeRoom(ThreadState& me, std::uint64_t wanted, DropReason ifFull)
{
    if (me.writer.ring == nullptr && !takeFirstRing(me)) return false;
    if (spool::RingHeader* const larger = drain.takeOffer(me.writer.ring->index)) {
        me.writer.ring->state.store(spool::RingState::Retired, std::memory_order_release);
        own(me, larger);
    }
    const Room room = me.writer.look(wanted);
    if (room != Room::Enough) drain.ring();
    if (room != Room::Full) return true;
    count(me, ifFull == DropReason::RingFull ? drain.fullReason() : ifFull);
    return false;
}

}  // namespace

void watchThreads()
{
    pthread_key_t key = 0;
    if (endKey.load(std::memory_order_relaxed) >= 0 || ::pthread_key_create(&key, threadEnds) != 0) return;
    if (key < keysWithoutAllocation)
        endKey.store(key, std::memory_order_relaxed);
    else
        ::pthread_key_delete(key);
}

Claim takeRing(ThreadState& me, std::uint32_t slots)
{
    me.thread = static_cast<std::uint32_t>(raw::threadId());
    spool::RingHeader* ring = nullptr;
    const Claim outcome = process.rings.claim(me.thread, slots, ring);
    if (outcome != Claim::Done) return outcome;
    own(me, ring);
    watchThreadEnd();
    return outcome;
}

void retireRing(ThreadState& me)
{
    if (me.writer.ring == nullptr) return;
    const Busy busy(me);
    me.writer.ring->state.store(spool::RingState::Retired, std::memory_order_release);
    me.writer = {};
}

bool roomAtLimit(ThreadState& me)
{
    const raw::KeepErrno keep;
    return makeRoom(me, 1, DropReason::RingFull);
}

NameKey recordName(ThreadState& me, NameClass nameClass, std::string_view text)
{
    const raw::KeepErrno keep;
    if (text.size() > longestName) text.remove_suffix(text.size() - longestName);
    if (!makeRoom(me, spool::nameSlots(text.size()), DropReason::NameLost)) return 0;
    const NameKey key = nextName();
    putName(me, key, nameClass, text);
    return key;
}

void loseReentered(ThreadState& me) { count(me, DropReason::Reentered); }

}  // namespace flowgauge::buffer::detail
