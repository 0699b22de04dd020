// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/store/run_store.h"

#include <vector>

namespace flowgauge::simulate {

/// A counter that is filled by amounts spread over time, and read at a beat.
class CounterLine {
public:
    CounterLine(Counter counter, Nanos beat) : m_counter(counter), m_beat(beat) {}

    /// Adds an amount, in the counter's unit, evenly over an interval.
    void add(Interval when, double amount);
    /// Writes one sample a beat until `end` on the track, starting at `start`; the sum stops growing at `most` (a page cache that is full).
    void write(store::RunStore& store, const store::TrackKey& place, Nanos end, double start, double most) const;
    [[nodiscard]] Counter counter() const { return m_counter; }

private:
    void addToBeat(std::size_t beat, double amount);
    Counter m_counter;
    Nanos m_beat;
    std::vector<double> m_amounts;  ///< by beat
};

}  // namespace flowgauge::simulate
