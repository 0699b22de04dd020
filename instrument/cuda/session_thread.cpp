// SPDX-License-Identifier: MIT
#include "collector/buffer/own_thread.h"
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "instrument/cuda/session.h"

#include <sys/prctl.h>
#include <algorithm>
#include <cstring>

/// What the session's own thread does: flush once a second, turn records into events, carry out orders.
namespace flowgauge::cuda {
namespace {

constexpr Nanos second = 1'000'000'000;
constexpr std::uint64_t dutySeconds = 10;  ///< of which one is recorded, at Level::Sometimes
constexpr Nanos lateNs = 100'000'000;      ///< how long completions may trail behind a flush that has returned
constexpr std::string_view what = "GPU kernels";

/// The tightest of some readings: between two of ours, CUPTI's is known to half their distance.
constexpr int readings = 8;

Nanos rawNs()
{
    timespec at;
    clock_gettime(CLOCK_MONOTONIC_RAW, &at);
    return static_cast<Nanos>(at.tv_sec) * second + at.tv_nsec;
}

std::uint64_t realtimeNs()
{
    timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    return static_cast<std::uint64_t>(at.tv_sec) * static_cast<std::uint64_t>(second) + static_cast<std::uint64_t>(at.tv_nsec);
}

/// CUPTI's clock may be refused (in its mode for several tools): then records carry CLOCK_REALTIME.
TimePair readPair(const Cupti& cupti)
{
    TimePair best{};
    Ticks bestWidth = ~Ticks{0};
    for (int reading = 0; reading < readings; ++reading) {
        const Ticks before = now();
        std::uint64_t its = 0;
        if (cupti.getTimestamp(&its) != statusSuccess) its = realtimeNs();
        const Ticks after = now();
        if (after - before >= bestWidth) continue;
        bestWidth = after - before;
        best = {its, before + bestWidth / 2, rawNs()};
    }
    return best;
}

}  // namespace

bool Session::startThread()
{
    m_threadRuns.store(true, std::memory_order_release);
    if (buffer::startOwnThread(&Session::enter, this)) return true;
    m_threadRuns.store(false, std::memory_order_release);
    return false;
}

void* Session::enter(void* self)
{
    raw::call(SYS_prctl, PR_SET_NAME, "flowgauge-g", 0UL, 0UL, 0UL);
    static_cast<Session*>(self)->run();
    return nullptr;
}

void Session::run()
{
    m_secondNs = buffer::monotonicNs();
    while (phase() != Phase::Ended && !buffer::programHasLeft()) {
        const Order wanted = m_order.exchange(Order::None, std::memory_order_acq_rel);
        if (wanted != Order::None) obey(wanted);
        if (wanted == Order::Finish) break;
        if (phase() == Phase::Active && m_pool.anyFull()) takeFull();
        const Nanos left = m_secondNs + second - buffer::monotonicNs();
        if (left <= 0) everySecond();
        m_ring.store(0, std::memory_order_release);
        if (m_order.load(std::memory_order_acquire) != Order::None || m_pool.anyFull()) continue;
        buffer::waitWhile(m_ring, 0, left > 0 ? left : second);
    }
    m_threadRuns.store(false, std::memory_order_release);
}

void Session::obey(Order wanted)
{
    if (wanted == Order::Yield && phase() == Phase::Active) {
        takeAll(flushForced);
        m_subscription.release();
        pause(m_pausedFor);
        m_phase.store(Phase::Yielded, std::memory_order_release);
    } else if (wanted == Order::Resume && phase() == Phase::Yielded) {
        Subscription::Why why;
        if (start(why)) {
            for (auto step = static_cast<std::uint8_t>(Level::WithoutCalls); step <= static_cast<std::uint8_t>(m_level); ++step)
                static_cast<void>(m_subscription.lower(static_cast<Level>(step), m_strides));
            endPause();
        } else {
            stop();
            buffer::ledger(what, "degraded", {why.text(), why.length()});
        }
    } else if (wanted == Order::Finish) {
        if (phase() == Phase::Active) {
            m_converter.setLastFlush(now());
            takeAll(flushForced);
            if (!m_toldDevices) tellDevices();
        }
        if (m_pausedAt != 0) endPause();
    }
    m_done.fetch_add(1, std::memory_order_acq_rel);
    buffer::wakeAll(m_done);
}

void Session::everySecond()
{
    const Nanos at = buffer::monotonicNs();
    const Nanos passed = at - m_secondNs;
    m_secondNs = at;
    m_seconds += 1;
    if (phase() != Phase::Active) return;
    if (m_fatal.load(std::memory_order_acquire)) {
        buffer::ledger(what, "degraded", "CUPTI has met a fatal error and recorded nothing more");
        return stop();
    }
    takeAll(flushFinished);
    if (!m_toldDevices && m_driverReady.load(std::memory_order_acquire)) tellDevices();
    govern(passed);
    if (m_level == Level::Sometimes) dutyCycle();
}

/// Asks CUPTI for its records and takes those that come; after the last one, also those that come a little later.
void Session::takeAll(std::uint32_t force)
{
    static_cast<void>(m_cupti.flushAll(force));
    const Nanos until = buffer::monotonicNs() + lateNs;
    for (;;) {
        takeFull();
        if (force != flushForced || m_pool.lent() == 0 || buffer::monotonicNs() >= until) break;
        buffer::FutexWord nobody{0};
        buffer::waitWhile(nobody, 0, 1'000'000);
    }
    std::size_t dropped = 0;
    if (m_cupti.droppedRecords(nullptr, 0, &dropped) == statusSuccess && dropped > 0) buffer::lose(DropReason::GpuDriver, dropped);
    if (const std::uint64_t thrown = m_thrownBytes.exchange(0, std::memory_order_relaxed); thrown > 0)
        buffer::lose(DropReason::GpuBuffer, thrown / std::max(1U, m_strides.of(Activity::ConcurrentKernel)));
}

void Session::takeFull()
{
    readClocks();
    for (BufferPool::Full full = m_pool.takeFull(); full.buffer != nullptr; full = m_pool.takeFull()) {
        m_converter.take(full);
        m_pool.giveBack(full);
    }
}

void Session::readClocks()
{
    TimeLine& line = m_converter.timeLine();
    const std::int64_t step = line.add(readPair(m_cupti));
    if (step == 0) return;
    buffer::Text<96> text;
    text.add("the clock of GPU records was set by ")
        .add(step < 0 ? "-" : "")
        .add(static_cast<std::uint64_t>(step < 0 ? -step : step) / 1'000'000);
    text.add(" ms while recording");
    buffer::ledger(what, "degraded", {text.text(), text.length()});
}

void Session::govern(Nanos passedNs)
{
    const Nanos cpu = buffer::threadCpuNs();
    const auto handlers = static_cast<Nanos>(m_handlerNs.exchange(0, std::memory_order_relaxed));
    const Cost cost{passedNs, cpu - m_cpuNs + handlers, m_converter.takeOverheadNs()};
    buffer::addOwnCpu(static_cast<std::uint64_t>(cost.ownNs));
    m_cpuNs = cpu;
    if (m_level != Level::Off && m_governor.isDue(cost)) stepDown();
}

void Session::stepDown()
{
    do m_level = static_cast<Level>(static_cast<std::uint8_t>(m_level) + 1);
    while (m_level != Level::Off && !m_subscription.lower(m_level, m_strides));
    buffer::Text<256> text;
    text.add("recording took ").add(static_cast<std::uint64_t>(m_governor.share() * 100)).add(" % of the time: ").add(levelText(m_level));
    buffer::ledger(what, "degraded", {text.text(), text.length()});
    if (m_level != Level::Off) return;
    takeAll(flushForced);
    m_subscription.release();
    pause("recording it cost too much");
}

void Session::dutyCycle()
{
    const bool wanted = m_seconds % dutySeconds == 0;
    if (wanted == m_working) return;
    m_working = wanted;
    m_subscription.enableWork(wanted);
    if (wanted)
        endPause();
    else
        pause("recording it cost too much");
}

void Session::pause(const char* why)
{
    m_pausedAt = now();
    m_pausedFor = why;
}

/// The gap becomes a range of its own, so that nobody takes it for an idle GPU.
void Session::endPause()
{
    if (m_pausedAt == 0) return;
    const Span gap{m_pausedAt, now()};
    m_pausedAt = 0;
    const char* const why = m_pausedFor != nullptr ? m_pausedFor : "";
    buffer::Text<192> name;
    name.add("GPU not recorded: ").add(why);
    buffer::record(
        range(gap, buffer::name(NameClass::Other, {name.text(), name.length()}), buffer::name(NameClass::Other, "flowgauge"), 0, 0));
    if (m_level != Level::Sometimes) buffer::ledger(what, "degraded", {name.text(), name.length()});
}

void Session::tellMeasured() const
{
    const Subscription::Why kinds = m_subscription.kinds();
    buffer::Text<384> text;
    text.add({kinds.text(), kinds.length()}).add(" by CUPTI ").add(std::uint64_t{m_cupti.version}).add(" of ");
    text.add({m_cupti.path.data(), strnlen(m_cupti.path.data(), 160)}).add("; bytes a kernel ");
    text.add(std::uint64_t{m_strides.of(Activity::ConcurrentKernel)}).add(", a copy ").add(std::uint64_t{m_strides.of(Activity::Memcpy)});
    buffer::ledger(what, "measured", {text.text(), text.length()});
}

/// CUDA numbers devices anew in every process (CUDA_VISIBLE_DEVICES); the UUID is what the samplers of the host know them by.
void Session::tellDevices()
{
    m_toldDevices = true;
    const Driver driver = openDriver();
    int count = 0;
    if (driver.deviceCount == nullptr || driver.deviceCount(&count) != 0) return;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        int device = 0;
        std::array<char, 64> name{}, bus{};
        std::array<std::uint8_t, 16> uuid{};
        if (driver.deviceGet == nullptr || driver.deviceGet(&device, ordinal) != 0) continue;
        if (driver.deviceName != nullptr) driver.deviceName(name.data(), name.size() - 1, device);
        if (driver.deviceBusId != nullptr) driver.deviceBusId(bus.data(), bus.size() - 1, device);
        if (driver.deviceUuid != nullptr) driver.deviceUuid(uuid.data(), device);
        buffer::Text<32> subject;
        subject.add("GPU ").add(static_cast<std::uint64_t>(ordinal));
        buffer::Text<192> text;
        text.add(name.data()).add(", ").add(bus.data()).add(", GPU-");
        for (std::size_t i = 0; i < uuid.size(); ++i) {
            const std::array<char, 2> hex{"0123456789abcdef"[uuid[i] >> 4U], "0123456789abcdef"[uuid[i] & 15U]};
            text.add(i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "").add({hex.data(), hex.size()});
        }
        buffer::ledger({subject.text(), subject.length()}, "measured", {text.text(), text.length()});
    }
}

}  // namespace flowgauge::cuda
