// SPDX-License-Identifier: MIT
#include "collector/record/clock.h"

#include "collector/record/raw.h"

#include <string_view>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace flowgauge {
namespace detail {
constinit std::atomic<ClockSource> clockSource{ClockSource::Unknown};
}

namespace {

Nanos readClock(clockid_t id)
{
    timespec at;
    clock_gettime(id, &at);
    return static_cast<Nanos>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

#if defined(__x86_64__)
/// CPUID 0x80000007, EDX bit 8: the counter runs at one rate in all power states (AMD APM vol. 3, Intel SDM vol. 3B 18.17).
bool processorHasInvariantTsc()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}

/// The kernel takes "tsc" off this list once it has seen it drift or jump between processors.
bool kernelTrustsTsc()
{
    char text[256];
    const int fd = raw::open("/sys/devices/system/clocksource/clocksource0/available_clocksource", O_RDONLY);
    if (fd < 0) return false;
    const ssize_t got = raw::read(fd, text, sizeof text);
    raw::close(fd);
    if (got <= 0) return false;
    const std::string_view words(text, static_cast<std::size_t>(got));
    for (std::size_t at = words.find("tsc"); at != std::string_view::npos; at = words.find("tsc", at + 1)) {
        const bool starts = at == 0 || words[at - 1] == ' ';
        const bool ends = at + 3 == words.size() || words[at + 3] == ' ' || words[at + 3] == '\n';
        if (starts && ends) return true;
    }
    return false;
}
#endif

ClockSource trustedSource()
{
#if defined(__x86_64__)
    if (processorHasInvariantTsc() && kernelTrustsTsc()) return ClockSource::Tsc;
#endif
    return ClockSource::Monotonic;
}

/// One bracketed reading: the error is half the RAW time that passed around the other two.
ClockAnchor readOnce()
{
    const Nanos before = readClock(CLOCK_MONOTONIC_RAW);
    const Ticks ticks = now();
    const Nanos realtime = readClock(CLOCK_REALTIME);
    const Nanos after = readClock(CLOCK_MONOTONIC_RAW);
    return {ticks, before + (after - before) / 2, realtime, (after - before + 1) / 2};
}

}  // namespace

void chooseClock()
{
    if (clockSource() == ClockSource::Unknown) detail::clockSource.store(trustedSource(), std::memory_order_relaxed);
}

ClockAnchor readAnchor()
{
    ClockAnchor best = readOnce();
    for (int attempt = 0; attempt < 4; ++attempt) {
        const ClockAnchor next = readOnce();
        if (next.errorNs < best.errorNs) best = next;
    }
    return best;
}

}  // namespace flowgauge
