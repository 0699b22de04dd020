// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/ring.h"
#include "collector/record/settings.h"

#include <array>
#include <atomic>
#include <cstdint>

/// What record() touches on its way: one page of flags and one plain struct a thread. Nobody but recorder.h includes it from outside.
namespace flowgauge::buffer {
enum class Claim : std::uint8_t;
}

namespace flowgauge::buffer::detail {

/// Says what is recorded. It fills a page that the kernel gives to every child process as zeros (MADV_WIPEONFORK, Linux 4.14):
/// so whatever kind of fork made the child, and whoever runs first in it, nothing is recorded until forgetAfterFork() has let
/// go of the parent's rings. A child of vfork shares the parent's memory, is the only one that runs, and may go on.
struct alignas(spool::pageBytes) Guard {
    std::array<std::atomic<bool>, std::tuple_size_v<KindMask>> wanted;
    std::atomic<bool> enabled;
};
static_assert(sizeof(Guard) == spool::pageBytes);
extern constinit Guard guard [[gnu::visibility("hidden")]];

/// One thread's part of the recorder. Plain, all zeros at first, in static thread-local storage: a hook may touch it at any
/// moment of a thread's life, where a constructor or an allocation could not run.
struct ThreadState {
    RingWriter writer;
    std::uint32_t thread;   ///< kernel id
    std::uint32_t refused;  ///< events to lose before the thread asks for a ring again
    bool busy;              ///< the recorder is at work on this thread; seen by signal handlers only
};
extern constinit thread_local ThreadState threadState [[gnu::tls_model("initial-exec"), gnu::visibility("hidden")]];

/// Holding it is the permission to use the thread's writer. The fences keep the compiler from moving the work out of it.
class Busy {
public:
    explicit Busy(ThreadState& me) : m_me(me)
    {
        m_me.busy = true;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~Busy()
    {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        m_me.busy = false;
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    ThreadState& m_me;
};

/// The slow ways: no ring yet, a look at the tail is due, or the ring is full. True when there is room for one event now.
/// They do not take the event: its address escaping would keep the compiler from building it in the slot itself.
[[nodiscard, gnu::cold, gnu::visibility("hidden")]] bool roomAtLimit(ThreadState& me);
[[gnu::cold, gnu::visibility("hidden")]] void loseReentered(ThreadState& me);

[[nodiscard]] NameKey recordName(ThreadState& me, NameClass nameClass, std::string_view text);

/// Makes the thread the owner of a ring of at least `slots` (its first one, and the drain's small one). Counts nothing.
[[nodiscard]] Claim takeRing(ThreadState& me, std::uint32_t slots);

/// Asks the C library to tell when threads end. Once, before threads have rings.
void watchThreads();

/// The thread is about to end: its ring may go to another.
void retireRing(ThreadState& me);

}  // namespace flowgauge::buffer::detail
