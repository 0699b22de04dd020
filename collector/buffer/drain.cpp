// SPDX-License-Identifier: MIT
#include "collector/buffer/drain.h"

#include "collector/buffer/own_thread.h"
#include "collector/buffer/process.h"
#include "collector/record/makers.h"
#include "collector/record/raw.h"

#include <sys/prctl.h>
#include <algorithm>

namespace flowgauge::buffer {

constinit Drain drain;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t flowingNs = 100'000'000;  ///< the timer while events come
constexpr std::uint32_t ownSlots = 1024;         ///< anchors and samples of the drain's callbacks
/// A ring that fills a quarter so many times in a row, each within so short a time, gets a larger one: over half a million
/// events a second, where the drain being scheduled a few ms late would cost events.
constexpr std::uint8_t quartersUntilLarger = 4;
constexpr std::int64_t quickQuarterNs = 2'000'000;

/// Clock of another thread's processor time, as the kernel encodes it (include/linux/posix-timers_types.h: per thread, SCHED).
clockid_t cpuClockOf(std::int32_t thread) { return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6U); }

void recordAnchor()
{
    const ClockAnchor at = readAnchor();
    record(clockAnchor(at.ticks, at.rawNs, at.realtimeNs, at.errorNs));
}

// The program's last thread has gone when the main thread is a zombie and nobody else but threads of ours is left. The C library ends
// the process when its last thread returns; since we are some of them, we have to return as well.
bool onlyOwnThreadsAreLeft()
{
    std::array<char, 512> text;
    const int fd = raw::open("/proc/self/stat", O_RDONLY);
    if (fd < 0) return false;
    const ssize_t got = raw::read(fd, text.data(), text.size());
    raw::close(fd);
    ssize_t at = got;
    while (at > 0 && text[static_cast<std::size_t>(at) - 1] != ')') --at;
    if (at <= 0 || at + 1 >= got || text[static_cast<std::size_t>(at) + 1] != 'Z') return false;
    int field = 2;
    for (; at < got && field < 20; ++at) field += text[static_cast<std::size_t>(at)] == ' ' ? 1 : 0;
    unsigned threads = 0;
    for (; at < got && text[static_cast<std::size_t>(at)] >= '0' && text[static_cast<std::size_t>(at)] <= '9'; ++at)
        threads = threads * 10 + static_cast<unsigned>(text[static_cast<std::size_t>(at)] - '0');
    return threads == 1 + ownThreads();
}

}  // namespace

void Drain::ring()
{
    if (m_blocked.load(std::memory_order_relaxed) != DropReason::RingFull) return;  // it waits for the disk, not for us
    // An exchange, since the head that was just published must not pass a thread that is about to sleep (see sleep()).
    if (m_asleep.exchange(0, std::memory_order_acq_rel) != 0) wakeAll(m_asleep);
}

spool::RingHeader* Drain::takeOffer(std::uint32_t index)
{
    if (m_offers[index].load(std::memory_order_relaxed) == nullptr) return nullptr;
    return m_offers[index].exchange(nullptr, std::memory_order_acquire);
}

bool Drain::flush(std::int64_t timeoutNs)
{
    const std::int64_t until = monotonicNs() + timeoutNs;
    const std::uint32_t ticket = m_asked.fetch_add(1, std::memory_order_acq_rel) + 1;
    if (m_asleep.exchange(0, std::memory_order_acq_rel) != 0) wakeAll(m_asleep);
    for (;;) {
        const std::uint32_t answered = m_answered.load(std::memory_order_acquire);
        if (static_cast<std::int32_t>(answered - ticket) >= 0) return m_blocked.load(std::memory_order_relaxed) == DropReason::RingFull;
        const std::int64_t left = until - monotonicNs();
        if (left <= 0) return false;
        waitWhile(m_answered, answered, left);
    }
}

bool Drain::endWith(void (*task)(), std::int64_t timeoutNs)
{
    const std::int32_t thread = m_thread.load(std::memory_order_acquire);
    if (thread == 0 || thread == raw::threadId()) return task(), true;
    m_lastTask.store(task, std::memory_order_release);
    return flush(timeoutNs);
}

void Drain::updatePage() const
{
    spool::ProcessPage* const page = process.rings.page();
    if (page == nullptr) return;
    std::uint64_t events = 0;
    for (std::uint32_t index = 0; index < process.rings.count(); ++index)
        events += process.rings.at(index)->head.load(std::memory_order_relaxed);
    page->events.store(events, std::memory_order_relaxed);
    page->lastSeenTicks.store(now(), std::memory_order_relaxed);
    const std::int32_t thread = m_thread.load(std::memory_order_relaxed);
    timespec used;
    if (thread != 0 && raw::call(SYS_clock_gettime, cpuClockOf(thread), &used) == 0)
        page->ownCpuNs.store(
            static_cast<std::uint64_t>(used.tv_sec * second + used.tv_nsec) + process.otherCpuNs.load(std::memory_order_relaxed),
            std::memory_order_relaxed);
}

void Drain::setBeat(void (*callback)(), std::uint32_t periodMs)
{
    m_beatMs.store(periodMs, std::memory_order_relaxed);
    m_onBeat.store(callback, std::memory_order_release);
}

void Drain::forget()
{
    for (FutexWord* word : {&m_asleep, &m_asked, &m_answered}) word->store(0, std::memory_order_relaxed);
    for (auto& offer : m_offers) offer.store(nullptr, std::memory_order_relaxed);
    m_blocked.store(DropReason::RingFull, std::memory_order_relaxed);
    m_lastTask.store(nullptr, std::memory_order_relaxed);
    m_thread.store(0, std::memory_order_relaxed);
    m_levels = {};
    m_identity = {};
    m_last = false;
    m_nextSecond = m_nextBeat = m_lastFlow = 0;
    m_fd = -1;
}

void Drain::settleIn()
{
    raw::call(SYS_prctl, PR_SET_NAME, "flowgauge", 0UL, 0UL, 0UL);
    (void)ownDescriptorTable();
    (void)reopenSpool();
    if (detail::takeRing(detail::threadState, ownSlots) != Claim::Done) return;
    recordAnchor();
    if (const auto onStart = m_onStart.load(std::memory_order_acquire)) onStart();
}

void Drain::run()
{
    settleIn();
    m_nextSecond = monotonicNs() + second;
    while (!m_last) {
        const std::uint32_t asked = m_asked.load(std::memory_order_acquire);
        const bool flushing = asked != m_answered.load(std::memory_order_relaxed);
        std::int64_t at = monotonicNs();
        runBeat(at);
        if (flushing || at >= m_nextSecond) everySecond(at);
        if (drainRings() > 0) m_lastFlow = at;
        if (flushing) {
            updatePage();
            if (const auto task = m_lastTask.exchange(nullptr, std::memory_order_acquire)) task();
            m_answered.store(asked, std::memory_order_release);
            wakeAll(m_answered);
        }
        at = monotonicNs();
        std::int64_t next = at - m_lastFlow < second ? at + flowingNs : m_nextSecond;
        next = std::min(next, m_nextSecond);
        if (m_onBeat.load(std::memory_order_relaxed) != nullptr) next = std::min(next, m_nextBeat);
        if (!m_last) sleep(next - at);
    }
    m_thread.store(0, std::memory_order_relaxed);
}

void Drain::runBeat(std::int64_t at)
{
    const auto onBeat = m_onBeat.load(std::memory_order_acquire);
    if (onBeat == nullptr || at < m_nextBeat) return;
    const std::int64_t period = std::max<std::int64_t>(m_beatMs.load(std::memory_order_relaxed), 1) * 1'000'000;
    m_nextBeat = at - m_nextBeat > period ? at + period : m_nextBeat + period;  // late by more than one: do not catch up
    onBeat();
}

void Drain::everySecond(std::int64_t at)
{
    m_nextSecond = at + second;
    m_last = onlyOwnThreadsAreLeft();
    if (m_last) noteProgramLeft();
    recordAnchor();
    retireDead();
    settleEarlyCounts();
    updatePage();
}

std::uint64_t Drain::drainRings()
{
    if (fullReason() == DropReason::SizeLimit) return 0;  // for good
    std::uint64_t moved = 0;
    spool::Append worst = spool::Append::Done;
    const std::uint32_t known = process.rings.count();
    for (std::uint32_t index = 0; index < known; ++index) moved += drainRing(process.rings.at(index), worst);
    if (moved > 0) process.rings.page()->spoolBytes.store(m_spool.used(), std::memory_order_relaxed);
    DropReason reason = DropReason::RingFull;
    if (worst != spool::Append::Done) reason = worst == spool::Append::LimitReached ? DropReason::SizeLimit : DropReason::SpoolFull;
    m_blocked.store(reason, std::memory_order_relaxed);
    return moved;
}

std::uint64_t Drain::drainRing(spool::RingHeader* ring, spool::Append& worst)
{
    auto state = ring->state.load(std::memory_order_acquire);  // before head: a retired ring's head is final
    const Waiting waiting = waitingIn(ring);
    const std::uint64_t count = waiting.count();
    if (count > 0) {
        if (count >= ring->capacity / 4) watchLevel(ring);
        const spool::Append outcome = append({spool::ChunkType::Events,
                                              ring->index,
                                              waiting.firstSequence,
                                              count,
                                              {{{waiting.first.events, waiting.first.count * spool::slotBytes},
                                                {waiting.second.events, waiting.second.count * spool::slotBytes}}}});
        if (outcome != spool::Append::Done) return worst = outcome, 0;
        release(ring, count);
    }
    if (state == spool::RingState::Retired) {
        withdrawOffer(ring->index);
        ring->state.compare_exchange_strong(state, spool::RingState::Free, std::memory_order_release, std::memory_order_relaxed);
    }
    return count;
}

// The writer takes the larger ring at its next look, which it has at least once a quarter.
void Drain::watchLevel(spool::RingHeader* ring)
{
    Level& level = m_levels[ring->index];
    const std::int64_t at = monotonicNs();
    level.quickQuarters = at - level.lastQuarter < quickQuarterNs ? static_cast<std::uint8_t>(level.quickQuarters + 1) : std::uint8_t{0};
    level.lastQuarter = at;
    if (level.quickQuarters < quartersUntilLarger) return;
    level.quickQuarters = 0;
    const bool wanted = process.adaptive && ring->capacity < largeSlots && fullReason() == DropReason::RingFull &&
                        m_offers[ring->index].load(std::memory_order_relaxed) == nullptr;
    spool::RingHeader* larger = nullptr;
    if (wanted && process.rings.claim(ring->thread.load(std::memory_order_relaxed), largeSlots, larger) == Claim::Done)
        m_offers[ring->index].store(larger, std::memory_order_release);
}

void Drain::withdrawOffer(std::uint32_t index)
{
    if (spool::RingHeader* const unused = takeOffer(index)) unused->state.store(spool::RingState::Free, std::memory_order_release);
}

// A thread that ended without running destructors (cancelled in odd ways, ended by a bare system call) leaves its ring behind.
void Drain::retireDead()
{
    const std::int32_t pid = process.pid.load(std::memory_order_relaxed);
    for (std::uint32_t index = 0; index < process.rings.count(); ++index) {
        spool::RingHeader* const ring = process.rings.at(index);
        auto state = ring->state.load(std::memory_order_acquire);
        if (state != spool::RingState::Owned) continue;
        const auto thread = static_cast<std::int32_t>(ring->thread.load(std::memory_order_relaxed));
        if (raw::call(SYS_tgkill, pid, thread, 0) != -ESRCH) continue;
        if (ring->thread.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(thread)) continue;  // just changed hands
        ring->state.compare_exchange_strong(state, spool::RingState::Retired, std::memory_order_acq_rel);
    }
}

bool Drain::reopenSpool()
{
    if (m_fd >= 0 && isFile(m_fd, m_identity)) return true;
    const int low = raw::open(process.spoolPath.text(), O_WRONLY | O_NOFOLLOW);
    if (low < 0) return false;
    const int fd = moveHigh(low);
    FileIdentity found{};
    const bool known = m_identity.inode != 0;
    const bool ours = identify(fd, found) && (!known || (found.device == m_identity.device && found.inode == m_identity.inode));
    if (!ours) {
        raw::close(fd);
        return false;
    }
    m_identity = found;
    m_fd = fd;
    return true;
}

spool::Append Drain::append(const spool::Chunk& chunk)
{
    // In a table of its own nobody closes our descriptor; in the program's, it may have become a file of the program.
    if (m_fd < 0 || !hasOwnTable()) {
        if (!reopenSpool()) return spool::Append::Failed;
    }
    return m_spool.append(m_fd, chunk);
}

bool Drain::somethingUrgent() const
{
    if (m_asked.load(std::memory_order_relaxed) != m_answered.load(std::memory_order_relaxed)) return true;
    if (fullReason() != DropReason::RingFull) return false;
    for (std::uint32_t index = 0; index < process.rings.count(); ++index) {
        const spool::RingHeader* const ring = process.rings.at(index);
        const std::uint64_t waiting = ring->head.load(std::memory_order_acquire) - ring->tail.load(std::memory_order_relaxed);
        if (waiting >= ring->capacity / 4) return true;
    }
    return false;
}

// Lying down is announced before the last look round: a writer that crosses its quarter after that look finds the word at 1.
void Drain::sleep(std::int64_t timeoutNs)
{
    m_asleep.exchange(1, std::memory_order_acq_rel);
    if (!somethingUrgent()) waitWhile(m_asleep, 1, timeoutNs);
    m_asleep.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::buffer
