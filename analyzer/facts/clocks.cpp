// SPDX-License-Identifier: MIT
#include "analyzer/facts/clocks.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::facts {
namespace {

constexpr Nanos unknown = ClockOffset::unknown;

Nanos moved(Nanos bound, double rate, Nanos time)
{
    if (bound <= -unknown || bound >= unknown) return bound;
    const double there = static_cast<double>(bound) + rate * static_cast<double>(time);
    return static_cast<Nanos>(rate * static_cast<double>(time) < 0 ? std::floor(there) : std::ceil(there));
}

/// What is known at a later (or, for a negative time, an earlier) moment, when the offset moves at no more than `rate`.
ClockBound widened(const ClockBound& bound, double rate, Nanos t)
{
    const Nanos apart = std::abs(t - bound.at);
    return {t, moved(bound.lower, -rate, apart), moved(bound.upper, rate, apart)};
}

bool contradict(const ClockBound& left, const ClockBound& right) { return left.lower > right.upper || right.lower > left.upper; }

ClockBound both(const ClockBound& left, const ClockBound& right)
{
    return {right.at, std::max(left.lower, right.lower), std::min(left.upper, right.upper)};
}

/// First position from `from` on whose bound contradicts what those before it leave open.
std::size_t goesWith(const std::vector<ClockBound>& bounds, std::size_t from, double rate)
{
    ClockBound known = bounds[from];
    for (std::size_t i = from + 1; i < bounds.size(); ++i) {
        const ClockBound here = widened(known, rate, bounds[i].at);
        if (contradict(here, bounds[i])) return i;
        known = both(here, bounds[i]);
    }
    return bounds.size();
}

/// The other way: first position, down to `until`, whose bound goes with all from it up to `from`.
std::size_t goesBackTo(const std::vector<ClockBound>& bounds, std::size_t from, std::size_t until, double rate)
{
    ClockBound known = bounds[from];
    std::size_t i = from;
    for (; i > until; --i) {
        const ClockBound here = widened(known, rate, bounds[i - 1].at);
        if (contradict(here, bounds[i - 1])) break;
        known = both(here, bounds[i - 1]);
    }
    return i;
}

using Points = std::vector<std::pair<double, double>>;

/// The lower convex hull; of points in order of x.
Points lowerHull(const Points& points)
{
    Points hull;
    for (const auto& next : points) {
        while (hull.size() >= 2) {
            const auto& [x0, y0] = hull[hull.size() - 2];
            const auto& [x1, y1] = hull.back();
            if ((x1 - x0) * (next.second - y0) - (y1 - y0) * (next.first - x0) > 0) break;
            hull.pop_back();
        }
        hull.push_back(next);
    }
    return hull;
}

/// The steepest rise that leads from a point of `from` to a later one of `to` is at least this: from above a lower bound to below an upper.
double steepest(const Points& lower, const Points& upper, double limit)
{
    for (const auto& [t0, low] : lower)
        for (const auto& [t1, high] : upper)
            if (t1 > t0) limit = std::min(limit, (high - low) / (t1 - t0));
    return limit;
}

Points mirrored(Points points)
{
    for (auto& [x, y] : points) y = -y;
    return points;
}

}  // namespace

HostClock::HostClock(std::vector<ClockBound> bounds, const ClockRates& rates) : m_bounds(std::move(bounds)), m_isReference(false)
{
    std::sort(m_bounds.begin(), m_bounds.end(), [](const ClockBound& left, const ClockBound& right) { return left.at < right.at; });
    std::erase_if(m_bounds, [](const ClockBound& bound) { return bound.lower > bound.upper; });  // a pair that does not belong together
    if (m_bounds.empty()) return;
    findStretches(rates);
    for (Stretch& stretch : m_stretches) {
        findRates(stretch, rates);
        runThrough(stretch);
    }
}

void HostClock::findStretches(const ClockRates& rates)
{
    const double rate = rates.drift + rates.slew;
    for (std::size_t begin = 0; begin < m_bounds.size();) {
        const std::size_t end = goesWith(m_bounds, begin, rate);
        m_stretches.push_back({begin, end, 0, 0, {}, {}, {}, {}});
        begin = end;
    }
    for (std::size_t i = 1; i < m_stretches.size(); ++i) {
        Stretch& before = m_stretches[i - 1];
        const std::size_t mayBegin = goesBackTo(m_bounds, m_stretches[i].end - 1, before.begin, rate);
        before.end = std::clamp(mayBegin, before.begin + 1, before.end);
    }
}

void HostClock::findRates(Stretch& stretch, const ClockRates& rates) const
{
    Points lower;
    Points upper;
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
        const double t = static_cast<double>(m_bounds[i].at);
        if (m_bounds[i].lower > -unknown) lower.emplace_back(t, -static_cast<double>(m_bounds[i].lower));
        if (m_bounds[i].upper < unknown) upper.emplace_back(t, static_cast<double>(m_bounds[i].upper));
    }
    const Points low = mirrored(lowerHull(lower));
    const Points high = lowerHull(upper);
    stretch.fastest = steepest(low, high, rates.drift);
    stretch.slowest = -steepest(mirrored(high), mirrored(low), rates.drift);
    if (stretch.slowest > stretch.fastest) {  // no straight line: the rate wandered by more than it is known
        stretch.slowest = -rates.drift;
        stretch.fastest = rates.drift;
    }
    stretch.slowest -= rates.wander + rates.slew;
    stretch.fastest += rates.wander + rates.slew;
}

void HostClock::runThrough(Stretch& stretch) const
{
    const std::size_t size = stretch.end - stretch.begin;
    for (auto* run : {&stretch.lowerFromLeft, &stretch.upperFromLeft, &stretch.lowerFromRight, &stretch.upperFromRight}) run->resize(size);
    ClockBound known{m_bounds[stretch.begin].at, -unknown, unknown};
    for (std::size_t i = 0; i < size; ++i) {
        const ClockBound& here = m_bounds[stretch.begin + i];
        const Nanos apart = here.at - known.at;
        known = both({here.at, moved(known.lower, stretch.slowest, apart), moved(known.upper, stretch.fastest, apart)}, here);
        stretch.lowerFromLeft[i] = known.lower;
        stretch.upperFromLeft[i] = known.upper;
    }
    known = {m_bounds[stretch.end - 1].at, -unknown, unknown};
    for (std::size_t i = size; i-- > 0;) {
        const ClockBound& here = m_bounds[stretch.begin + i];
        const Nanos apart = known.at - here.at;
        known = both({here.at, moved(known.lower, -stretch.fastest, apart), moved(known.upper, -stretch.slowest, apart)}, here);
        stretch.lowerFromRight[i] = known.lower;
        stretch.upperFromRight[i] = known.upper;
    }
}

ClockBound HostClock::boundOf(const Stretch& stretch, Nanos t) const
{
    const auto first = m_bounds.begin() + static_cast<std::ptrdiff_t>(stretch.begin);
    const auto end = m_bounds.begin() + static_cast<std::ptrdiff_t>(stretch.end);
    const auto right = std::partition_point(first, end, [t](const ClockBound& bound) { return bound.at <= t; });
    ClockBound known{t, -unknown, unknown};
    if (right != first) {
        const auto i = static_cast<std::size_t>(right - first) - 1;
        const Nanos apart = t - std::prev(right)->at;
        known = both(known,
                     {t, moved(stretch.lowerFromLeft[i], stretch.slowest, apart), moved(stretch.upperFromLeft[i], stretch.fastest, apart)});
    }
    if (right != end) {
        const auto i = static_cast<std::size_t>(right - first);
        const Nanos apart = right->at - t;
        known = both(known, {t, moved(stretch.lowerFromRight[i], -stretch.fastest, apart),
                             moved(stretch.upperFromRight[i], -stretch.slowest, apart)});
    }
    return known;
}

ClockOffset HostClock::at(Nanos t) const
{
    if (m_isReference) return {};
    if (m_stretches.empty()) return {0, unknown};
    ClockBound all{t, unknown, -unknown};
    for (std::size_t i = 0; i < m_stretches.size(); ++i) {
        // Between two stretches either may hold: the clock was set somewhere between the last bound of one and the first of the next.
        const Stretch& stretch = m_stretches[i];
        const Nanos from = i == 0 ? -unknown : m_bounds[std::max<std::size_t>(m_stretches[i - 1].end, 1) - 1].at;
        const Nanos to = i + 1 == m_stretches.size() ? unknown : m_bounds[m_stretches[i + 1].begin].at;
        if (t < from || t > to) continue;
        const ClockBound bound = boundOf(stretch, t);
        all = {t, std::min(all.lower, bound.lower), std::max(all.upper, bound.upper)};
    }
    if (all.lower <= -unknown || all.upper >= unknown || all.lower > all.upper) return {0, unknown};
    const Nanos half = (all.upper - all.lower + 1) / 2;
    return {all.lower + half, half + 1};  // rounding
}

}  // namespace flowgauge::facts
