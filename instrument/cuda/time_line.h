// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstdint>

namespace flowgauge::cuda {

/// One reading of CUPTI's clock together with ours.
struct TimePair {
    std::uint64_t cupti;  ///< as records carry it: CLOCK_REALTIME in ns, unless somebody gave CUPTI another clock
    Ticks ticks;
    Nanos rawNs;  ///< CLOCK_MONOTONIC_RAW, which nobody sets
};

/// Turns CUPTI's time stamps into ours, between two pairs of readings by a straight line. It makes no assumption about CUPTI's clock but
/// that it runs evenly: a time stamp callback of the application (TSC cycles, say) is only another slope. A step (somebody sets
/// CLOCK_REALTIME) is seen against the raw clock, and then each side of it has its own line. For one thread.
class TimeLine {
public:
    /// A newer pair than the last one. Returns by how much CUPTI's clock was set since then, in its own unit; 0: it was not.
    std::int64_t add(const TimePair& pair);

    [[nodiscard]] Ticks at(std::uint64_t cupti) const;
    /// True for a time between `slackNs` before the first pair and `slackNs` behind the last one.
    [[nodiscard]] bool holds(Ticks ticks, Nanos slackNs) const;
    /// True when CUPTI's clock runs in ns.
    [[nodiscard]] bool isNanoseconds() const { return m_perNs > 0.98 && m_perNs < 1.02; }

private:
    void measure();

    std::uint64_t m_known = 0;  ///< pairs seen
    TimePair m_first{};
    TimePair m_before{}, m_next{},
        m_last{};               ///< the line goes from m_before to m_last; m_next takes m_before's place when it is old enough
    bool m_stepped = false;     ///< between m_before and m_next
    double m_perNs = 1;         ///< CUPTI's units per raw ns
    double m_ticksPerUnit = 1;  ///< our ticks per unit of CUPTI's
};

}  // namespace flowgauge::cuda
