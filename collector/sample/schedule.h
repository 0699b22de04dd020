// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

namespace flowgauge::sample {

/// When the next beat is due: on a fixed grid, so that a late beat does not move those after it; what was missed is dropped,
/// never made up for in a burst; and a pass that takes more than a fifth of the period lengthens the period to five passes.
class Schedule {
public:
    constexpr Schedule(Nanos startNs, Nanos periodNs) : m_due(startNs), m_wanted(periodNs), m_period(periodNs) {}

    [[nodiscard]] constexpr Nanos dueNs() const { return m_due; }
    [[nodiscard]] constexpr Nanos periodNs() const { return m_period; }

    /// A pass has ended. Moves the due time to the first grid point after nowNs. The period comes back step by step: a
    /// single quick pass between slow ones must not bring the load back.
    constexpr void passed(Nanos nowNs, Nanos tookNs)
    {
        const Nanos needed = tookNs * 5;
        const Nanos relaxed = m_period - m_period / 8;
        m_period = needed > relaxed ? needed : relaxed;
        if (m_period < m_wanted) m_period = m_wanted;
        m_due += m_period;
        if (m_due <= nowNs) m_due += (nowNs - m_due) / m_period * m_period + m_period;
    }

private:
    Nanos m_due, m_wanted, m_period;
};

}  // namespace flowgauge::sample
