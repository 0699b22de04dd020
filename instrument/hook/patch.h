// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>

/// For the definition of a function that is watched: its first eight bytes do nothing and are known (see PatchedFunction).
#define FLOWGAUGE_PATCHABLE __attribute__((patchable_function_entry(8)))

namespace flowgauge::hook {

/// A function of ours that a communication library may patch in place. UCX writes a jump over the first bytes of the `mmap` and
/// `munmap` that the dynamic linker shows it, meaning libc's own: they are what free() ends in, and UCX must hear of memory that
/// goes away or its registration cache lies. With us in front it finds ours instead; then we see no mapping any more, and it
/// misses libc's own calls. So the jump is handed on to the function that it was meant for, and ours is as before.
/// UCX patches in its constructor, before ours: what stood there before is known because the function is FLOWGAUGE_PATCHABLE.
/// Only x86-64, where a near jump is one aligned store of eight bytes; elsewhere, and for other patches, nothing is done.
class PatchedFunction {
public:
    constexpr PatchedFunction() = default;
    /// `ours` must be our own code, whatever stands in front of it; patched already or not.
    void watch(void* ours);
    /// True when a near jump stands at our function's entry. Two loads; any thread.
    [[nodiscard]] bool isPatched() const;
    /// Moves that jump to `real`. Any thread; a second one goes on without waiting.
    void handOn(void* real);

private:
    std::uint64_t* m_ours = nullptr;
    std::uint64_t m_first = 0;  ///< its first eight bytes, unpatched
    std::atomic<bool> m_busy{false};
};

}  // namespace flowgauge::hook
