// SPDX-License-Identifier: MIT
#include "instrument/cuda/time_line.h"

namespace flowgauge::cuda {
namespace {

/// Shorter pieces tell less about a clock's rate than readings err: 100 ns in half a second are 0.2 us in a second.
constexpr Nanos leastPieceNs = 500'000'000;
/// NTP slews by 0.05 %, adjtimex by up to 10 %; beyond both and a ms of bracket somebody has set the clock.
constexpr double stepShare = 0.1;
constexpr double stepNs = 2e6;

double signedDifference(std::uint64_t later, std::uint64_t earlier)
{
    return static_cast<double>(static_cast<std::int64_t>(later - earlier));
}

Ticks moved(Ticks from, double by) { return from + static_cast<Ticks>(static_cast<std::int64_t>(by)); }

}  // namespace

std::int64_t TimeLine::add(const TimePair& pair)
{
    if (m_known++ == 0) {
        m_first = m_before = m_next = m_last = pair;
        return 0;
    }
    const auto raw = static_cast<double>(pair.rawNs - m_last.rawNs);
    const double surprise = signedDifference(pair.cupti, m_last.cupti) - m_perNs * raw;
    const double tolerated = m_perNs * (stepNs + stepShare * raw);
    if (m_known > 2 && (surprise > tolerated || surprise < -tolerated)) {
        m_before = m_last;
        m_next = m_last = pair;
        m_stepped = true;
        return static_cast<std::int64_t>(surprise);
    }
    m_last = pair;
    if (pair.rawNs - m_next.rawNs >= leastPieceNs) {
        m_before = m_next;
        m_next = pair;
        m_stepped = false;
    }
    if (!m_stepped) measure();
    return 0;
}

void TimeLine::measure()
{
    const auto raw = static_cast<double>(m_last.rawNs - m_before.rawNs);
    const double passed = signedDifference(m_last.cupti, m_before.cupti);
    if (raw <= 0 || passed <= 0) return;
    m_perNs = passed / raw;
    m_ticksPerUnit = signedDifference(m_last.ticks, m_before.ticks) / passed;
}

Ticks TimeLine::at(std::uint64_t cupti) const
{
    const Ticks fromLast = moved(m_last.ticks, signedDifference(cupti, m_last.cupti) * m_ticksPerUnit);
    if (!m_stepped) return fromLast;
    // Times of either side of the step may read alike; the newer side is right where it answers with a time since the older pair.
    const double second = m_ticksPerUnit * m_perNs * 1e9;
    const bool plausible = fromLast >= m_before.ticks && fromLast <= moved(m_last.ticks, second);
    return plausible ? fromLast : moved(m_before.ticks, signedDifference(cupti, m_before.cupti) * m_ticksPerUnit);
}

bool TimeLine::holds(Ticks ticks, Nanos slackNs) const
{
    const double slack = static_cast<double>(slackNs) * m_perNs * m_ticksPerUnit;
    return signedDifference(ticks, m_first.ticks) >= -slack && signedDifference(ticks, m_last.ticks) <= slack;
}

}  // namespace flowgauge::cuda
