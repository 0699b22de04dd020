// SPDX-License-Identifier: MIT
#include "collector/buffer/own_thread.h"

#include "collector/record/raw.h"

#include <pthread.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <ctime>

namespace flowgauge::buffer {
namespace {

/// Enough for our frames and a sampler's; a program with much static thread-local storage may need more, then the default it is.
constexpr std::size_t stackBytes = std::size_t{256} << 10;

/// All signals of the calling thread blocked: a new thread inherits that. sigfillset leaves out the two that the C library sends to
/// every thread (cancellation and setuid): with those blocked a setuid of the program would wait forever.
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

/// Held for the whole life of a thread of ours.
struct Place {
    std::atomic<bool> taken{false};
    void* (*enter)(void*) = nullptr;
    void* argument = nullptr;
};
constinit std::array<Place, 8> places{};
constinit std::atomic<bool> programLeft{false};

void* live(void* at)
{
    auto* const place = static_cast<Place*>(at);
    place->enter(place->argument);
    place->taken.store(false, std::memory_order_release);
    return nullptr;
}

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

}  // namespace

bool startOwnThread(void* (*enter)(void*), void* argument)
{
    const auto free =
        std::find_if(places.begin(), places.end(), [](Place& place) { return !place.taken.exchange(true, std::memory_order_acquire); });
    if (free == places.end()) return false;
    free->enter = enter;
    free->argument = argument;
    const SignalsBlocked quiet;
    if (startDetached(&live, &*free, stackBytes) || startDetached(&live, &*free, 0)) return true;
    free->taken.store(false, std::memory_order_release);
    return false;
}

unsigned ownThreads()
{
    return static_cast<unsigned>(
        std::count_if(places.begin(), places.end(), [](const Place& place) { return place.taken.load(std::memory_order_acquire); }));
}

Nanos threadCpuNs()
{
    timespec used{};
    raw::call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &used);
    return Nanos{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

void noteProgramLeft() { programLeft.store(true, std::memory_order_release); }
bool programHasLeft() { return programLeft.load(std::memory_order_acquire); }

void forgetOwnThreads()
{
    for (Place& place : places) place.taken.store(false, std::memory_order_relaxed);
}

}  // namespace flowgauge::buffer
