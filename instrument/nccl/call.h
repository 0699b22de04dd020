// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"

#include <array>
#include <atomic>
#include <cstdint>

/// NCCL's public functions, called through without a header of NCCL: all arguments but the unique id travel as words.
namespace flowgauge::nccl {

using Word = std::uintptr_t;

inline constexpr int internalError = 3;  ///< ncclInternalError: what a wrapper answers when there is no function behind it

/// One exported name and what lies behind it. Two copies of NCCL may be in one process (a framework's own and a shared one), so what was
/// found is kept by the place of the call: each goes to the copy that it would have met without us.
class Call {
public:
    constexpr explicit Call(const char* profiled) : m_profiled(profiled), m_sites{} {}
    /// The function behind the name for the code at `caller`; nullptr when there is none.
    [[nodiscard]] void* realFor(const void* caller);

private:
    struct Site {
        std::atomic<const void*> caller;
        std::atomic<void*> real;
    };
    const char* m_profiled;  ///< "pncclAllReduce": behind its first letter stands the name that programs use
    std::array<Site, 16> m_sites;
};

/// How many of our wrappers this thread is inside: NCCL may call itself by its public names, which is not the program's call.
extern constinit thread_local unsigned depth;

}  // namespace flowgauge::nccl
