// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "collector/record/counter.h"

#include <vector>

namespace flowgauge::facts {

/// One counter at one place over time, in its unit (raw x scale).
class CounterSeries {
public:
    struct Sample {
        Nanos at;
        double value;
    };
    void add(Nanos at, double value) { m_samples.push_back({at, value}); }
    [[nodiscard]] bool empty() const { return m_samples.empty(); }
    /// Linear between samples; the first before them, the last after. 0 without any.
    [[nodiscard]] double valueAt(Nanos t) const;
    /// Growth over the interval; a total that was reset in it counts from its new zero.
    [[nodiscard]] double growth(Interval interval) const;
    /// From the first sample to the last.
    [[nodiscard]] double grown() const { return m_samples.empty() ? 0.0 : growth({m_samples.front().at, m_samples.back().at}); }
    [[nodiscard]] double last() const { return m_samples.empty() ? 0.0 : m_samples.back().value; }

private:
    std::vector<Sample> m_samples;  ///< in order of time
};

struct PlacedSeries {
    store::TrackKey place;
    CounterSeries series;
};

/// All series of the named counters. Decodes only their tracks.
[[nodiscard]] std::vector<PlacedSeries> readCounters(store::RunStore& store, const std::vector<Counter>& counters);

}  // namespace flowgauge::facts
