// SPDX-License-Identifier: MIT
#include "collector/buffer/own_thread.h"

#include "collector/record/raw.h"

#include <pthread.h>
#include <csignal>

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
    const SignalsBlocked quiet;
    return startDetached(enter, argument, stackBytes) || startDetached(enter, argument, 0);
}

}  // namespace flowgauge::buffer
