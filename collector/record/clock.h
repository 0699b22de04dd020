// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <atomic>
#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace flowgauge {

/// Which clock this process's ticks come from; kept in its spool.
enum class ClockSource : std::uint8_t {
    Unknown = 0,
    Monotonic = 1,  ///< CLOCK_MONOTONIC through the vDSO, ns
    Tsc = 2,        ///< invariant TSC that the kernel itself trusts (it lists "tsc" among its available clock sources)
};

namespace detail {
/// Set once by chooseClock; Unknown reads as Monotonic.
extern std::atomic<ClockSource> clockSource [[gnu::visibility("hidden")]];
}  // namespace detail

/// One reading of three clocks, taken together: the link between ticks and the world's time.
struct ClockAnchor {
    Ticks ticks;
    Nanos rawNs;       ///< CLOCK_MONOTONIC_RAW: one line for all processes of a host, never slewed
    Nanos realtimeNs;  ///< CLOCK_REALTIME: Unix time
    Nanos errorNs;     ///< half of the shortest bracket around the readings
};

/// Decides once per process which clock to trust. Reads one file of /sys by raw system calls; safe to call again.
void chooseClock();

/// The chosen source (Unknown before chooseClock).
[[nodiscard]] inline ClockSource clockSource() { return detail::clockSource.load(std::memory_order_relaxed); }

/// The present, in ticks. About 11 ns with the TSC, 27 ns with the vDSO.
[[nodiscard]] inline Ticks now()
{
#if defined(__x86_64__)
    if (clockSource() == ClockSource::Tsc) return __rdtsc();
#endif
    timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return static_cast<Ticks>(at.tv_sec) * 1'000'000'000 + static_cast<Ticks>(at.tv_nsec);
}

/// Reads the three clocks several times and keeps the reading with the shortest bracket.
[[nodiscard]] ClockAnchor readAnchor();

}  // namespace flowgauge
