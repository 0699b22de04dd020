// SPDX-License-Identifier: MIT
#include "collector/buffer/drain.h"
#include "collector/buffer/own_thread.h"
#include "collector/buffer/process.h"
#include "collector/record/raw.h"

namespace flowgauge::buffer {
namespace {

// On a processor shared with the thread whose ring is filling, the scheduler would let that one finish its slice of some ms
// first. Since Linux 6.12 a thread may ask for short slices of its own (0.1 ms, sched(7)), and is then let in early for its
// brief work; older kernels ignore the wish.
void askForPromptness()
{
    struct Attributes {  // struct sched_attr, first version
        std::uint32_t size, policy;
        std::uint64_t flags;
        std::int32_t nice;
        std::uint32_t priority;
        std::uint64_t runtime, deadline, period;
    } attributes{};
    static_assert(sizeof(Attributes) == 48);
    if (raw::call(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0U) != 0 || attributes.policy != 0) return;
    attributes.runtime = 100'000;
    raw::call(SYS_sched_setattr, 0, &attributes, 0U);
}

}  // namespace

void* Drain::enter(void* self)
{
    auto* const thread = static_cast<Drain*>(self);
    thread->m_thread.store(raw::threadId(), std::memory_order_relaxed);
    askForPromptness();
    thread->run();
    return nullptr;
}

bool Drain::start(std::uint64_t spoolUsed)
{
    m_spool = spool::SpoolWriter(spoolUsed, process.maxSpoolBytes);
    return startOwnThread(&Drain::enter, this);
}

}  // namespace flowgauge::buffer
