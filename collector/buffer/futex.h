// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/raw.h"

#include <linux/futex.h>
#include <atomic>
#include <cstdint>
#include <ctime>

namespace flowgauge::buffer {

/// A word that threads may sleep on.
using FutexWord = std::atomic<std::uint32_t>;
static_assert(sizeof(FutexWord) == 4 && FutexWord::is_always_lock_free);

/// CLOCK_MONOTONIC in ns: for our own periods and limits, never for events.
[[nodiscard]] inline std::int64_t monotonicNs()
{
    timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return static_cast<std::int64_t>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

/// Sleeps while the word holds `value`, at most timeoutNs. Returns early for any reason: the caller looks again.
inline void waitWhile(FutexWord& word, std::uint32_t value, std::int64_t timeoutNs)
{
    if (timeoutNs <= 0) return;
    const timespec timeout{static_cast<time_t>(timeoutNs / 1'000'000'000), static_cast<long>(timeoutNs % 1'000'000'000)};
    raw::call(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, &timeout, nullptr, 0);
}

inline void wakeAll(FutexWord& word)
{
    raw::call(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, 0x7fffffff, nullptr, nullptr, 0);
}

/// A lock for the rare moments (files made, a segment added). Nobody waits for it longer than he says: a thread may have been
/// cancelled inside, and an event is worth less than the program's progress. A forked child calls forget() first of all.
class BoundedLock {
public:
    [[nodiscard]] bool enter(std::int64_t timeoutNs)
    {
        std::uint32_t expected = 0;
        if (m_word.compare_exchange_strong(expected, 1, std::memory_order_acquire)) return true;
        const std::int64_t until = monotonicNs() + timeoutNs;
        while (m_word.exchange(2, std::memory_order_acquire) != 0) {
            const std::int64_t left = until - monotonicNs();
            if (left <= 0) return false;
            waitWhile(m_word, 2, left);
        }
        return true;
    }
    void leave()
    {
        if (m_word.exchange(0, std::memory_order_release) == 2) wakeAll(m_word);
    }
    void forget() { m_word.store(0, std::memory_order_relaxed); }

private:
    FutexWord m_word{0};  ///< 0 open, 1 held, 2 held and somebody may be asleep
};

}  // namespace flowgauge::buffer
