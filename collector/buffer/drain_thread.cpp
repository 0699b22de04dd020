// SPDX-License-Identifier: MIT
#include "collector/buffer/drain.h"
#include "collector/buffer/process.h"
#include "collector/record/raw.h"

#include <pthread.h>
#include <csignal>

namespace flowgauge::buffer {
namespace {

/// Enough for our frames and a sampler's; a program with much static thread-local storage may need more, then the default it is.
constexpr std::size_t stackBytes = std::size_t{256} << 10;

/// All signals of the calling thread blocked: a new thread inherits that, so no handler of the program ever runs on ours.
class SignalsBlocked {
public:
    SignalsBlocked()
    {
        sigset_t all;
        ::sigfillset(&all);
        raw::call(SYS_rt_sigprocmask, SIG_BLOCK, &all, &m_before, kernelSetBytes);
    }
    ~SignalsBlocked() { raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &m_before, nullptr, kernelSetBytes); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    static constexpr std::size_t kernelSetBytes = 8;  ///< the kernel's set is 64 bits; the C library's type is larger
    sigset_t m_before{};
};

bool startDetached(void* (*enter)(void*), void* argument, std::size_t stack)
{
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return false;
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack != 0) ::pthread_attr_setstacksize(&attributes, stack);
    pthread_t thread;
    const int error = ::pthread_create(&thread, &attributes, enter, argument);
    ::pthread_attr_destroy(&attributes);
    return error == 0;
}

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
    const SignalsBlocked quiet;
    return startDetached(&Drain::enter, this, stackBytes) || startDetached(&Drain::enter, this, 0);
}

}  // namespace flowgauge::buffer
