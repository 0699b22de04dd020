// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/futex.h"
#include "collector/buffer/rings_file.h"
#include "collector/record/drop_reason.h"
#include "collector/spool/writer.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace flowgauge::buffer {

/// The thread that empties the rings into the spool file. It sleeps until a ring is a quarter full or its timer is up, and it
/// is the only one that moves tails. Everything marked [any thread] is safe from hooks; the rest runs on the thread itself.
class Drain {
public:
    /// [any thread] Starts the thread, with all signals blocked. spoolUsed: bytes of the spool file that are in use.
    [[nodiscard]] bool start(std::uint64_t spoolUsed);

    /// [any thread] A ring is a quarter full or fuller: no system call unless the thread is asleep.
    void ring();

    /// [any thread] Why a full ring stays full.
    [[nodiscard]] DropReason fullReason() const { return m_blocked.load(std::memory_order_relaxed); }

    /// [any thread] The larger ring that was made for the owner of this one, or nullptr.
    [[nodiscard]] spool::RingHeader* takeOffer(std::uint32_t index);

    /// [any thread] Drains everything that is in the rings now. False when that was not done in time.
    [[nodiscard]] bool flush(std::int64_t timeoutNs);

    /// [any thread] Drains everything, then runs the task here; waits for both. False when that was not done in time.
    /// Where the thread does not run (never started, or already leaving) the caller runs the task itself.
    [[nodiscard]] bool endWith(void (*task)(), std::int64_t timeoutNs);

    /// [any thread] Writes the sums of this moment onto the process page; also called by whoever ends the process.
    void updatePage() const;

    void setBeat(void (*callback)(), std::uint32_t periodMs);
    void setStart(void (*callback)()) { m_onStart.store(callback, std::memory_order_release); }

    /// In a forked child: there is no such thread any more.
    void forget();

private:
    static void* enter(void* drain);
    void run();
    void settleIn();
    void runBeat(std::int64_t at);
    void everySecond(std::int64_t at);
    [[nodiscard]] std::uint64_t drainRings();
    [[nodiscard]] std::uint64_t drainRing(spool::RingHeader* ring, spool::Append& worst);
    void watchLevel(spool::RingHeader* ring);
    void withdrawOffer(std::uint32_t index);
    void retireDead();
    [[nodiscard]] bool reopenSpool();
    [[nodiscard]] spool::Append append(const spool::Chunk& chunk);
    void sleep(std::int64_t timeoutNs);
    [[nodiscard]] bool somethingUrgent() const;

    FutexWord m_asleep{0};
    FutexWord m_asked{0};                                     ///< flushes wanted so far
    FutexWord m_answered{0};                                  ///< flushes done so far
    std::atomic<DropReason> m_blocked{DropReason::RingFull};  ///< SpoolFull or SizeLimit while the file takes no more
    std::atomic<void (*)()> m_onStart{nullptr};
    std::atomic<void (*)()> m_onBeat{nullptr};
    std::atomic<void (*)()> m_lastTask{nullptr};
    std::atomic<std::uint32_t> m_beatMs{0};
    std::atomic<std::int32_t> m_thread{0};
    std::array<std::atomic<spool::RingHeader*>, mostSegments> m_offers{};

    // The thread's own.
    spool::SpoolWriter m_spool{0, 0};
    int m_fd = -1;
    FileIdentity m_identity{};
    std::int64_t m_nextSecond = 0;
    std::int64_t m_nextBeat = 0;
    std::int64_t m_lastFlow = 0;
    bool m_last = false;  ///< the program's own threads have all ended
    struct Level {
        std::int64_t lastQuarter;    ///< when it was last found a quarter full or fuller
        std::uint8_t quickQuarters;  ///< how often in a row that came soon after the time before
    };
    std::array<Level, mostSegments> m_levels{};
};
extern constinit Drain drain;

}  // namespace flowgauge::buffer
