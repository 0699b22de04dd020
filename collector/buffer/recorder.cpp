// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"

#include "collector/buffer/drain.h"
#include "collector/buffer/own_thread.h"
#include "collector/buffer/process.h"
#include "collector/record/clock.h"
#include "collector/record/ledger_line.h"
#include "collector/record/raw.h"

#include <bit>

namespace flowgauge::buffer {

constinit Process process;

namespace detail {
constinit Guard guard{};
}

namespace {

void openGuard()
{
    for (std::size_t kind = 0; kind < process.kinds.size(); ++kind)
        detail::guard.wanted[kind].store(process.kinds[kind], std::memory_order_relaxed);
    detail::guard.enabled.store(true, std::memory_order_release);
}

std::uint32_t slotsOfBytes(std::uint64_t bytes)
{
    const std::uint64_t slots = bytes / spool::slotBytes;
    if (slots < fewestSlots) return fewestSlots;
    return static_cast<std::uint32_t>(
        std::bit_floor(slots < mostRingBytes / spool::slotBytes / 4 ? slots : mostRingBytes / spool::slotBytes / 4));
}

}  // namespace

void closeGuard()
{
    detail::guard.enabled.store(false, std::memory_order_relaxed);
    for (auto& wanted : detail::guard.wanted) wanted.store(false, std::memory_order_relaxed);
}

void enable(const Options& options)
{
    const raw::KeepErrno keep;
    chooseClock();
    process.folder.clear();
    process.folder.add(options.spoolFolder);
    process.runId.clear();
    process.runId.add(options.runId);
    process.kinds = options.kinds;
    process.maxSpoolBytes = options.maxSpoolBytes;
    process.adaptive = options.ringBytes == 0;
    process.ringSlots = process.adaptive ? firstSlots : slotsOfBytes(options.ringBytes);
    process.pid.store(raw::processId(), std::memory_order_relaxed);
    process.wasEnabled.store(true, std::memory_order_relaxed);
    raw::call(SYS_madvise, &detail::guard, sizeof detail::guard, MADV_WIPEONFORK);
    detail::watchThreads();
    openGuard();
}

void disable()
{
    process.wasEnabled.store(false, std::memory_order_relaxed);
    closeGuard();
}

NameKey name(NameClass nameClass, std::string_view text)
{
    if (!enabled()) return 0;
    detail::ThreadState& me = detail::threadState;
    if (me.busy) return lose(DropReason::NameLost), 0;
    const detail::Busy busy(me);
    return detail::recordName(me, nameClass, text);
}

void ledger(std::string_view what, std::string_view state, std::string_view reason)
{
    Text<512> line;
    line.add(processFactMark).add(what).add("\t").add(state).add("\t").add(reason);
    static_cast<void>(name(NameClass::Other, {line.text(), line.length()}));
}

void awaitRoom(std::uint32_t slots, std::uint32_t timeoutMs)
{
    constexpr std::int64_t lookNs = 200'000;
    const std::int64_t until = monotonicNs() + static_cast<std::int64_t>(timeoutMs) * 1'000'000;
    const spool::RingHeader* const ring = detail::threadState.writer.ring;
    if (ring == nullptr || !enabled()) return;
    const std::uint64_t most = ring->capacity > slots ? ring->capacity - slots : 0;
    FutexWord nobody{0};
    while (ring->head.load(std::memory_order_relaxed) - ring->tail.load(std::memory_order_acquire) > most && monotonicNs() < until) {
        drain.ring();
        waitWhile(nobody, 0, lookNs);
    }
}

void addOwnCpu(std::uint64_t ns) { process.otherCpuNs.fetch_add(ns, std::memory_order_relaxed); }

void lose(DropReason reason, std::uint64_t count)
{
    if (!enabled()) return;
    const auto index = static_cast<std::size_t>(reason);
    spool::ProcessPage* const page = process.rings.page();
    (page != nullptr ? page->lost : process.lost)[index].fetch_add(count, std::memory_order_relaxed);
}

void addCode(const CodeSums& sums)
{
    if (!enabled()) return;
    spool::ProcessPage* const page = process.rings.page();
    const auto add = [page](std::atomic<std::uint64_t>& early, std::atomic<std::uint64_t> spool::ProcessPage::*sum, std::uint64_t amount) {
        if (amount != 0) (page != nullptr ? page->*sum : early).fetch_add(amount, std::memory_order_relaxed);
    };
    add(process.codeOpens, &spool::ProcessPage::codeOpens, sums.opens);
    add(process.codeReads, &spool::ProcessPage::codeReads, sums.reads);
    add(process.codeBytes, &spool::ProcessPage::codeBytes, sums.bytes);
    add(process.codeTicks, &spool::ProcessPage::codeTicks, sums.ticks);
}

void onBeat(void (*callback)(), std::uint32_t periodMs) { drain.setBeat(callback, periodMs); }
void onFiles(void (*callback)()) { process.onFiles.store(callback, std::memory_order_release); }
void onStart(void (*callback)()) { drain.setStart(callback); }

const char* spoolPath() { return process.rings.page() != nullptr ? process.spoolPath.text() : ""; }

// The parent's threads do not exist here and its drain thread goes on draining the parent's rings, so nothing of them may be
// touched again. Locks may have been held at the fork by threads that are gone: all are forgotten, none is entered.
// When the fork happened inside a signal handler that interrupted record() on this very thread, that record() will go on
// after this and store into the ring it knew: it gets private memory at that address, which nobody reads.
void forgetAfterFork()
{
    const raw::KeepErrno keep;
    detail::ThreadState& me = detail::threadState;
    process.rings.forget(me.busy ? me.writer.ring : nullptr);
    drain.forget();
    forgetOwnThreads();
    process.starting.forget();
    for (auto& count : process.lost) count.store(0, std::memory_order_relaxed);
    for (auto* sum : {&process.codeOpens, &process.codeReads, &process.codeBytes, &process.codeTicks, &process.otherCpuNs})
        sum->store(0, std::memory_order_relaxed);
    me = {};
    process.stage.store(Stage::Idle, std::memory_order_relaxed);
    process.pid.store(raw::processId(), std::memory_order_relaxed);
    if (process.wasEnabled.load(std::memory_order_relaxed)) openGuard();
}

void finish()
{
    const raw::KeepErrno keep;
    if (process.pid.load(std::memory_order_relaxed) != raw::processId()) return;  // a child of vfork: all of this is its parent's
    disable();
    spool::ProcessPage* const page = process.rings.page();
    if (page == nullptr) return;
    settleEarlyCounts();
    drain.updatePage();
    page->endedTicks.store(now(), std::memory_order_release);
}

bool finishWith(void (*task)(), std::uint32_t timeoutMs)
{
    const raw::KeepErrno keep;
    if (process.rings.page() == nullptr || process.pid.load(std::memory_order_relaxed) != raw::processId()) return false;
    finish();
    return drain.endWith(task, static_cast<std::int64_t>(timeoutMs) * 1'000'000);
}

bool flush(std::uint32_t timeoutMs)
{
    const raw::KeepErrno keep;
    if (process.rings.page() == nullptr) return true;
    return drain.flush(static_cast<std::int64_t>(timeoutMs) * 1'000'000);
}

}  // namespace flowgauge::buffer
