// SPDX-License-Identifier: MIT
#include "instrument/cuda/session.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"

#include <cstdlib>

/// What other threads ask of a session; what its own thread does is in session_thread.cpp.
namespace flowgauge::cuda {

constinit Session session;

namespace {

constexpr std::uint32_t orderMs = 2000;
constexpr std::string_view what = "GPU kernels";

bool wantsAny()
{
    return buffer::wants(Kind::Kernel) || buffer::wants(Kind::GpuCopy) || buffer::wants(Kind::GpuFill) || buffer::wants(Kind::GpuApi) ||
           buffer::wants(Kind::GpuSync);
}

double budgetShare() { return static_cast<double>(numberOf(Variable::GpuBudget)) / 100; }

/// Adds the time of a scope to a sum.
class Timed {
public:
    explicit Timed(std::atomic<std::uint64_t>& sum) : m_sum(sum), m_begin(buffer::monotonicNs()) {}
    ~Timed() { m_sum.fetch_add(static_cast<std::uint64_t>(buffer::monotonicNs() - m_begin), std::memory_order_relaxed); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    std::atomic<std::uint64_t>& m_sum;
    Nanos m_begin;
};

}  // namespace

void Session::begin()
{
    Phase expected = Phase::Idle;
    if (!m_phase.compare_exchange_strong(expected, Phase::Starting, std::memory_order_acq_rel)) return;
    const raw::KeepErrno keep;
    m_wishes = wishesOf(settingOf(Variable::Gpu));
    m_governor = Governor(budgetShare());
    m_pid.store(raw::processId(), std::memory_order_relaxed);
    if (!buffer::enabled() || !wantsAny() || m_wishes.off) return stop();
    Subscription::Why why;
    if (!m_wishes.always && !seesGpu())
        why.add("no GPU device node");
    else if (start(why))
        return;
    stop();
    buffer::ledger(what, "absent", {why.text(), why.length()});
}

bool Session::start(Subscription::Why& why)
{
    const Reason reason = openCupti(m_cupti);
    if (!reason.empty()) return why.add(reason), false;
    if (!m_pool.create()) return why.add("no memory for GPU records"), false;
    m_strides = probeStrides(m_cupti.nextRecord);
    if (m_strides.of(Activity::ConcurrentKernel) == 0) return why.add("kernel records of this CUPTI are not understood"), false;
    m_converter.use(m_cupti, m_strides);
    readClocks();
    if (m_applicationHolds.load(std::memory_order_acquire)) {
        if (!startThread()) return why.add("no thread for GPU records"), false;
        pause("the application's own profiler had CUPTI first");
        m_phase.store(Phase::Yielded, std::memory_order_release);
        return true;
    }
    constexpr Subscription::Handlers handlers{
        [](std::uint8_t** buffer, std::size_t* bytes, std::size_t* most) { session.request(buffer, bytes, most); },
        [](void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) { session.complete(buffer, valid); },
        [](void*, std::uint32_t domain, std::uint32_t id, const void*) { session.callback(domain, id); }};
    if (!m_subscription.take(m_cupti, handlers, m_wishes, why)) return false;
    m_phase.store(Phase::Active, std::memory_order_release);
    if (!m_threadRuns.load(std::memory_order_acquire) && !startThread()) {
        m_subscription.release();
        return why.add("no thread for GPU records"), false;
    }
    return true;
}

bool Session::order(Order wanted, std::uint32_t timeoutMs)
{
    const Nanos until = buffer::monotonicNs() + Nanos{timeoutMs} * 1'000'000;
    if (!m_orders.enter(Nanos{timeoutMs} * 1'000'000)) return false;
    const std::uint32_t before = m_done.load(std::memory_order_acquire);
    m_order.store(wanted, std::memory_order_release);
    m_ring.store(1, std::memory_order_release);
    buffer::wakeAll(m_ring);
    bool done = false;
    while (!(done = m_done.load(std::memory_order_acquire) != before) && buffer::monotonicNs() < until)
        buffer::waitWhile(m_done, before, until - buffer::monotonicNs());
    m_orders.leave();
    return done;
}

void Session::yield(const char* call)
{
    if (phase() == Phase::Idle || phase() == Phase::Starting) return m_applicationHolds.store(true, std::memory_order_release);
    if (phase() != Phase::Active || m_wishes.hold || !isOurProcess()) return;
    const raw::KeepErrno keep;
    m_pausedFor = call;
    if (order(Order::Yield, orderMs)) return;
    m_phase.store(Phase::Ended, std::memory_order_release);
    buffer::ledger(what, "degraded", "CUPTI did not give its records back within 2 s when the application's profiler started");
}

void Session::comeBack(bool finalized)
{
    m_applicationHolds.store(false, std::memory_order_release);
    if (phase() != Phase::Yielded || !isOurProcess()) return;
    const raw::KeepErrno keep;
    if (finalized && m_cupti.version < version12_6) return;  // starting CUPTI anew crashes there where CUDA graphs are used
    static_cast<void>(order(Order::Resume, orderMs));
}

void Session::finish()
{
    if ((phase() != Phase::Active && phase() != Phase::Yielded) || !isOurProcess()) return;
    const raw::KeepErrno keep;
    const bool done = order(Order::Finish, orderMs);
    stop();
    if (!done) buffer::ledger(what, "degraded", "cuptiActivityFlushAll did not return within 2 s: the last records are missing");
}

/// On the thread that launches: it only takes a buffer.
void Session::request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords)
{
    const Timed timed(m_handlerNs);
    *buffer = m_pool.lend();
    *bytes = BufferPool::bufferBytes;
    *mostRecords = 0;
}

/// On a thread of CUPTI, or on ours inside a flush.
void Session::complete(std::uint8_t* buffer, std::size_t validBytes)
{
    const raw::KeepErrno keep;
    const BufferPool::Whose whose = m_pool.whose(buffer);
    if (whose == BufferPool::Whose::Foreign || !isOurProcess()) return;
    const Timed timed(m_handlerNs);
    if (whose == BufferPool::Whose::Discarded) {
        m_thrownBytes.fetch_add(validBytes, std::memory_order_relaxed);
        return;
    }
    const std::size_t bytes = validBytes < BufferPool::bufferBytes ? validBytes : BufferPool::bufferBytes;
    if (phase() != Phase::Ended) m_converter.nameKernels(buffer, bytes);
    m_pool.completed(buffer, bytes);
    if (m_ring.exchange(1, std::memory_order_acq_rel) == 0) buffer::wakeAll(m_ring);
}

void Session::callback(std::uint32_t domain, std::uint32_t id)
{
    if (!isOurProcess()) return;
    if (domain == domainState) {
        // CUPTI has taken itself down (since 12.2): every further call would start it again.
        if (id == stateFatalError) m_fatal.store(true, std::memory_order_release);
        return;
    }
    if (domain != domainResource || (id != resourceInitFinished && id != resourceContextCreated)) return;
    if (!m_driverReady.exchange(true, std::memory_order_acq_rel)) tellMeasured();  // not before: there may be a driver and no GPU
    // Handlers run last in, first out: only one that is set after cuInit has set the driver's own runs before it.
    if (!m_handlerSet.exchange(true, std::memory_order_acq_rel)) static_cast<void>(atexit([] { session.finish(); }));
}

// The parent's thread is not here, its CUPTI must not be called, and whoever held our locks is gone.
void Session::forgetAfterFork()
{
    m_orders.forget();
    m_applicationHolds.store(false, std::memory_order_relaxed);
    if (phase() == Phase::Idle) return;
    m_phase.store(Phase::Ended, std::memory_order_relaxed);
    m_threadRuns.store(false, std::memory_order_relaxed);
    Converter::forgetNames();
}

}  // namespace flowgauge::cuda
