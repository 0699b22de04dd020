// SPDX-License-Identifier: MIT
#include "collector/sample/sampler_thread.h"

#include "collector/buffer/descriptor.h"
#include "collector/buffer/futex.h"
#include "collector/buffer/own_thread.h"
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "collector/sample/election.h"
#include "collector/sample/host_samplers.h"
#include "collector/sample/schedule.h"

#include <sys/prctl.h>

namespace flowgauge::sample {
namespace {

/// How often the thread makes sure that it still holds the lock.
constexpr Nanos second = 1'000'000'000;

}  // namespace

void SamplerThread::start(const ThreadOrders& orders)
{
    std::uint32_t expected = absent;
    if (!m_life.compare_exchange_strong(expected, alive, std::memory_order_acq_rel)) return;
    const raw::KeepErrno keep;
    m_orders = orders;
    m_stop.store(0, std::memory_order_relaxed);
    if (!buffer::startOwnThread(&SamplerThread::main, this)) m_life.store(absent, std::memory_order_release);
}

void SamplerThread::stop(std::uint32_t timeoutMs)
{
    m_stop.store(1, std::memory_order_release);
    buffer::wakeAll(m_stop);
    const Nanos until = buffer::monotonicNs() + Nanos{timeoutMs} * 1'000'000;
    while (running() && buffer::monotonicNs() < until) buffer::waitWhile(m_life, alive, until - buffer::monotonicNs());
}

void SamplerThread::forgetAfterFork()
{
    HostSamplers::discard(m_samplers);
    m_samplers = nullptr;
    m_elected.store(false, std::memory_order_relaxed);
    m_stop.store(0, std::memory_order_relaxed);
    m_life.store(absent, std::memory_order_relaxed);
}

void* SamplerThread::main(void* self)
{
    auto* const thread = static_cast<SamplerThread*>(self);
    raw::call(SYS_prctl, PR_SET_NAME, "flowgauge-s", 0, 0, 0);
    static_cast<void>(buffer::ownDescriptorTable());
    thread->sampleWhileElected();
    thread->m_life.store(absent, std::memory_order_release);
    buffer::wakeAll(thread->m_life);
    return nullptr;
}

void SamplerThread::sampleWhileElected()
{
    Election election;
    if (!election.tryWin(m_orders.spoolFolder.view())) return;
    m_samplers = HostSamplers::make(m_orders.root.view(), recorderOutlet, m_orders.spoolFolder.view());
    if (m_samplers != nullptr) {
        const Nanos start = buffer::monotonicNs();
        m_samplers->open(start);
        Schedule schedule(buffer::monotonicNs(), m_orders.periodNs);
        Nanos checked = start;
        while (sleepUntil(schedule.dueNs()) && buffer::enabled() && !buffer::programHasLeft()) {
            const Nanos woke = buffer::monotonicNs();
            if (woke - checked >= second && !election.stillHeld()) break;
            if (woke - checked >= second) checked = woke;
            m_samplers->sample(woke);
            m_elected.store(true, std::memory_order_release);
            const Nanos took = buffer::monotonicNs() - woke;
            m_samplers->putOwn(woke - schedule.dueNs(), took);
            schedule.passed(woke + took, took);
        }
        const bool asked = m_stop.load(std::memory_order_acquire) != 0 || buffer::programHasLeft();
        if (asked && buffer::enabled()) m_samplers->sampleLast(buffer::monotonicNs());
    }
    m_elected.store(false, std::memory_order_release);
    HostSamplers::discard(m_samplers);
    m_samplers = nullptr;
    election.giveUp();
}

/// False when the thread is to end.
bool SamplerThread::sleepUntil(Nanos dueNs)
{
    for (;;) {
        if (m_stop.load(std::memory_order_acquire) != 0) return false;
        const Nanos left = dueNs - buffer::monotonicNs();
        if (left <= 0) return true;
        buffer::waitWhile(m_stop, 0, left);
    }
}

}  // namespace flowgauge::sample
