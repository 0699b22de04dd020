// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstddef>
#include <vector>

namespace flowgauge::facts {

/// A set of moments: disjoint, non-touching half-open intervals in order. The algebra of time: every operation is one sweep
/// over both sorted lists.
class IntervalSet {
public:
    IntervalSet() = default;
    /// The union of any intervals, in any order; empty ones vanish.
    [[nodiscard]] static IntervalSet of(std::vector<Interval> intervals);
    /// Of intervals whose begin never decreases: what a track of the store delivers. Constant work each. Gaps of at most `closing`
    /// behind the last one are closed.
    void append(Interval next, Nanos closing = 0);
    /// Fewer intervals of the same total: those inside one cell of time, cells being 2^cellLog2 ns wide, become one that begins where
    /// the first does. Nothing leaves its cell. The last one stays where it is: more may be appended to it.
    void coarsen(unsigned cellLog2);
    void giveBack() { m_intervals.shrink_to_fit(); }  ///< memory that append and united took in reserve

    [[nodiscard]] IntervalSet united(const IntervalSet& other) const;
    [[nodiscard]] IntervalSet intersected(const IntervalSet& other) const;
    [[nodiscard]] IntervalSet minus(const IntervalSet& other) const;
    [[nodiscard]] IntervalSet within(Interval window) const;

    [[nodiscard]] Nanos total() const;                                     ///< ns
    [[nodiscard]] Nanos totalWithin(Interval window) const;                ///< as within(window).total(), without the copy
    [[nodiscard]] std::vector<Interval> longest(std::size_t count) const;  ///< longest first; equal ones in order of time
    [[nodiscard]] Interval extent() const;                                 ///< from the first begin to the last end; empty when empty
    [[nodiscard]] bool empty() const { return m_intervals.empty(); }
    [[nodiscard]] std::size_t size() const { return m_intervals.size(); }  ///< intervals
    [[nodiscard]] const std::vector<Interval>& intervals() const { return m_intervals; }

    friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

private:
    std::vector<Interval> m_intervals;
};

}  // namespace flowgauge::facts
