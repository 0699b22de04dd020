// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/counter_sink.h"
#include "collector/sample/sys_root.h"

#include <atomic>
#include <cstdint>

namespace flowgauge::sample {

/// What the sampler thread works by; set before it starts, left alone while it runs.
struct ThreadOrders {
    Path spoolFolder, root;
    Nanos periodNs = 0;
};

/// The one thread that samples a host. It has a descriptor table of its own where the kernel allows it: the program can
/// neither see nor close what it has open, and a forked child inherits none of it.
class SamplerThread {
public:
    /// Starts the thread, unless it is here already. It stands for election itself, since the lock belongs to its table,
    /// and ends at once when it loses.
    void start(const ThreadOrders& orders);
    /// Asks it to read everything a last time and to end, and waits for that, at most timeoutMs.
    void stop(std::uint32_t timeoutMs);
    /// In a forked child: it does not exist here. Drops what was mapped for it.
    void forgetAfterFork();
    [[nodiscard]] bool running() const { return m_life.load(std::memory_order_acquire) != absent; }
    /// True from its first reading on.
    [[nodiscard]] bool elected() const { return m_elected.load(std::memory_order_acquire); }

private:
    static constexpr std::uint32_t absent = 0, alive = 1;
    static void* main(void* self);
    void sampleWhileElected();
    [[nodiscard]] bool sleepUntil(Nanos dueNs);

    ThreadOrders m_orders;
    class HostSamplers* m_samplers = nullptr;
    std::atomic<std::uint32_t> m_life{absent};  ///< `alive` from start until the thread's last act; a futex word
    std::atomic<std::uint32_t> m_stop{0};       ///< a futex word
    std::atomic<bool> m_elected{false};
};

}  // namespace flowgauge::sample
