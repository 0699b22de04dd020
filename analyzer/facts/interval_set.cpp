// SPDX-License-Identifier: MIT
#include "analyzer/facts/interval_set.h"

#include <algorithm>

namespace flowgauge::facts {

IntervalSet IntervalSet::of(std::vector<Interval> intervals)
{
    const auto byBegin = [](const Interval& left, const Interval& right) { return left.begin < right.begin; };
    if (!std::is_sorted(intervals.begin(), intervals.end(), byBegin)) std::sort(intervals.begin(), intervals.end(), byBegin);
    std::size_t kept = 0;  // in place: there may be millions
    for (const Interval interval : intervals) {
        if (interval.empty()) continue;
        if (kept > 0 && interval.begin <= intervals[kept - 1].end)
            intervals[kept - 1].end = std::max(intervals[kept - 1].end, interval.end);
        else
            intervals[kept++] = interval;
    }
    intervals.resize(kept);
    IntervalSet result;
    result.m_intervals = std::move(intervals);
    return result;
}

void IntervalSet::append(Interval next, Nanos closing)
{
    if (next.empty()) return;
    if (!m_intervals.empty() && next.begin <= m_intervals.back().end + closing)
        m_intervals.back().end = std::max(m_intervals.back().end, next.end);
    else
        m_intervals.push_back(next);
}

void IntervalSet::coarsen(unsigned cellLog2)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_intervals.size(); ++i) {
        const Interval interval = m_intervals[i];
        const bool isLast = i + 1 == m_intervals.size();
        if (!isLast && kept > 0 && m_intervals[kept - 1].begin >> cellLog2 == (interval.end - 1) >> cellLog2)
            m_intervals[kept - 1].end += interval.length();
        else
            m_intervals[kept++] = interval;
    }
    m_intervals.resize(kept);
}

IntervalSet IntervalSet::united(const IntervalSet& other) const
{
    IntervalSet result;
    result.m_intervals.reserve(std::max(m_intervals.size(), other.m_intervals.size()));
    auto mine = m_intervals.begin();
    auto theirs = other.m_intervals.begin();
    while (mine != m_intervals.end() || theirs != other.m_intervals.end()) {
        const bool takeMine = theirs == other.m_intervals.end() || (mine != m_intervals.end() && mine->begin <= theirs->begin);
        result.append(takeMine ? *mine++ : *theirs++);
    }
    return result;
}

IntervalSet IntervalSet::intersected(const IntervalSet& other) const
{
    IntervalSet result;
    auto mine = m_intervals.begin();
    auto theirs = other.m_intervals.begin();
    while (mine != m_intervals.end() && theirs != other.m_intervals.end()) {
        result.append({std::max(mine->begin, theirs->begin), std::min(mine->end, theirs->end)});
        if (mine->end < theirs->end)
            ++mine;
        else
            ++theirs;
    }
    return result;
}

IntervalSet IntervalSet::minus(const IntervalSet& other) const
{
    IntervalSet result;
    auto hole = other.m_intervals.begin();
    for (const Interval& interval : m_intervals) {
        Nanos from = interval.begin;
        while (hole != other.m_intervals.end() && hole->end <= from) ++hole;
        for (auto cut = hole; cut != other.m_intervals.end() && cut->begin < interval.end; ++cut) {
            result.append({from, cut->begin});
            from = std::max(from, cut->end);
        }
        result.append({from, interval.end});
    }
    return result;
}

IntervalSet IntervalSet::within(Interval window) const
{
    IntervalSet result;
    auto at = std::partition_point(m_intervals.begin(), m_intervals.end(),
                                   [&](const Interval& interval) { return interval.end <= window.begin; });
    for (; at != m_intervals.end() && at->begin < window.end; ++at)
        result.append({std::max(at->begin, window.begin), std::min(at->end, window.end)});
    return result;
}

Nanos IntervalSet::total() const
{
    Nanos sum = 0;
    for (const Interval& interval : m_intervals) sum += interval.length();
    return sum;
}

Nanos IntervalSet::totalWithin(Interval window) const
{
    Nanos sum = 0;
    auto at = std::partition_point(m_intervals.begin(), m_intervals.end(),
                                   [&](const Interval& interval) { return interval.end <= window.begin; });
    for (; at != m_intervals.end() && at->begin < window.end; ++at)
        sum += Interval{std::max(at->begin, window.begin), std::min(at->end, window.end)}.length();
    return sum;
}

std::vector<Interval> IntervalSet::longest(std::size_t count) const
{
    std::vector<Interval> result = m_intervals;
    const auto longer = [](const Interval& left, const Interval& right) {
        return left.length() != right.length() ? left.length() > right.length() : left.begin < right.begin;
    };
    const auto middle = result.begin() + static_cast<std::ptrdiff_t>(std::min(count, result.size()));
    std::partial_sort(result.begin(), middle, result.end(), longer);
    result.resize(std::min(count, result.size()));
    return result;
}

Interval IntervalSet::extent() const
{
    return m_intervals.empty() ? Interval{} : Interval{m_intervals.front().begin, m_intervals.back().end};
}

}  // namespace flowgauge::facts
