// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/hook/find.h"

#include <atomic>
#include <cerrno>
#include <type_traits>

/// Marks the functions that the library shows to the world; everything else in it is hidden.
#define FLOWGAUGE_EXPORT __attribute__((visibility("default")))

namespace flowgauge::hook {

namespace detail {
/// How many lookups this thread is inside: dlsym may allocate, and an allocator may call the very function looked up.
extern constinit thread_local unsigned resolving;
}  // namespace detail

/// What stands in for a function that this C library does not have (close_range before glibc 2.34): it fails with ENOSYS.
template <typename Function>
struct Absent;
template <typename Result, typename... Arguments>
struct Absent<Result (*)(Arguments...)> {
    static Result call(Arguments...) noexcept
    {
        errno = ENOSYS;
        if constexpr (std::is_void_v<Result>)
            return;
        else if constexpr (std::is_pointer_v<Result>)
            return nullptr;
        else
            return static_cast<Result>(-1);
    }
};
template <typename Result, typename... Arguments>
struct Absent<Result (*)(Arguments...) noexcept> : Absent<Result (*)(Arguments...)> {
};
template <typename Result, typename... Arguments>
struct Absent<Result (*)(Arguments..., ...)> {
    static Result call(Arguments..., ...) noexcept
    {
        errno = ENOSYS;
        return static_cast<Result>(-1);
    }
};

/// The function behind a hook, looked up at its first use: a hook may be called before any constructor of ours has run.
/// Never answers nullptr. `bootstrap` serves calls that the lookup itself causes, and a C library without the function.
template <typename Function>
class Next {
public:
    constexpr explicit Next(const char* name, Function bootstrap = &Absent<Function>::call) : m_name(name), m_bootstrap(bootstrap) {}

    /// For libc, which stands in the global order.
    [[nodiscard]] Function get()
    {
        const Function known = m_function.load(std::memory_order_relaxed);
        return known != nullptr ? known : resolve(nullptr);
    }
    /// For libraries that may have been loaded with RTLD_LOCAL; `returnAddress` as in findFromCaller.
    [[nodiscard]] Function getFor(const void* returnAddress)
    {
        const Function known = m_function.load(std::memory_order_relaxed);
        return known != nullptr ? known : resolve(returnAddress);
    }

private:
    [[gnu::noinline]] Function resolve(const void* returnAddress)
    {
        if (detail::resolving > 0 && m_bootstrap != &Absent<Function>::call) return m_bootstrap;
        ++detail::resolving;
        void* const found = returnAddress != nullptr ? findFromCaller(m_name, returnAddress) : findNext(m_name);
        --detail::resolving;
        const Function function = found != nullptr ? reinterpret_cast<Function>(found) : m_bootstrap;
        m_function.store(function, std::memory_order_relaxed);
        return function;
    }

    const char* m_name;
    Function m_bootstrap;
    std::atomic<Function> m_function{nullptr};
};

}  // namespace flowgauge::hook
