// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/futex.h"
#include "instrument/cuda/subscription.h"

namespace flowgauge::cuda {

/// How far the recording of this process's GPU work has come.
enum class Phase : std::uint8_t {
    Idle,      ///< cuInit has not run
    Starting,  ///< a thread is inside begin()
    Active,    ///< CUPTI is ours
    Yielded,   ///< the application's own profiler has it
    Ended,     ///< for good: the end of the process, an error, a level of Off, a forked child
};

/// The recording of one process. All control calls of CUPTI come from one thread of ours, once it runs: FlushAll beside others is not
/// safe in every version. Never destroyed.
class Session {
public:
    constexpr Session() = default;

    /// The driver is about to be initialised (InitializeInjection). Any thread, any number of times; the first one does it.
    void begin();
    /// The application is about to take CUPTI with that call: gives it up first, within two seconds.
    void yield(const char* call);
    /// The application has given CUPTI up; `finalized`: by cuptiFinalize.
    void comeBack(bool finalized);
    /// The exit handler that runs before the driver's own: the last, forced flush, within two seconds.
    void finish();
    void stop() { m_phase.store(Phase::Ended, std::memory_order_release); }
    [[nodiscard]] Phase phase() const { return m_phase.load(std::memory_order_acquire); }
    /// The process that began it; another one is a child that has only a copy.
    [[nodiscard]] bool isOurProcess() const { return m_pid.load(std::memory_order_relaxed) == raw::processId(); }
    void forgetAfterFork();

    // What CUPTI calls.
    void request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords);
    void complete(std::uint8_t* buffer, std::size_t validBytes);
    void callback(std::uint32_t domain, std::uint32_t id);

private:
    enum class Order : std::uint32_t { None, Yield, Resume, Finish };
    static void* enter(void* session);
    void run();
    void obey(Order order);
    void everySecond();
    void govern(Nanos passedNs);
    void stepDown();
    void dutyCycle();
    void takeFull();
    void takeAll(std::uint32_t force);
    void readClocks();
    void tellDevices();
    void tellMeasured() const;
    void pause(const char* why);
    void endPause();
    [[nodiscard]] bool order(Order wanted, std::uint32_t timeoutMs);
    [[nodiscard]] bool start(Subscription::Why& why);
    [[nodiscard]] bool startThread();

    std::atomic<Phase> m_phase{Phase::Idle};
    std::atomic<std::int32_t> m_pid{0};
    std::atomic<bool> m_applicationHolds{false};  ///< it took CUPTI before we could
    std::atomic<bool> m_driverReady{false};
    std::atomic<bool> m_handlerSet{false};
    std::atomic<bool> m_fatal{false};
    std::atomic<bool> m_threadRuns{false};
    std::atomic<std::uint64_t> m_handlerNs{0};  ///< time in CUPTI's calls to us
    std::atomic<std::uint64_t> m_thrownBytes{0};
    std::atomic<Order> m_order{Order::None};
    buffer::FutexWord m_ring{0};  ///< 1: the thread has something to do
    buffer::FutexWord m_done{0};  ///< orders carried out
    buffer::BoundedLock m_orders;

    Wishes m_wishes;
    Cupti m_cupti{};
    Strides m_strides;
    BufferPool m_pool;
    Converter m_converter;
    Subscription m_subscription;
    Governor m_governor{0.03};
    Level m_level = Level::All;

    // The thread's own.
    Nanos m_secondNs = 0;
    Nanos m_cpuNs = 0;
    std::uint64_t m_seconds = 0;
    bool m_toldDevices = false;
    bool m_working = true;
    Ticks m_pausedAt = 0;
    const char* m_pausedFor = nullptr;
};

extern constinit Session session;

}  // namespace flowgauge::cuda
