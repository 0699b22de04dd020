// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "collector/record/counter.h"

#include <functional>
#include <vector>

namespace flowgauge::facts {

/// What a falling counter may mean (facts/network.md §8.5).
struct CounterRules {
    double wrapsAt = 0;           ///< in the counter's unit; 0: it does not wrap, so that a fall is a reset
    double saturatesAt = 0;       ///< in the counter's unit; 0: it does not stop at its largest value
    double ceilingPerSecond = 0;  ///< more than this cannot be; 0: not known
};
/// 32-bit totals wrap unless they saturate; wider ones live longer than a run.
[[nodiscard]] CounterRules rulesOf(const CounterRow& row);

/// One counter at one place over time, in its unit (raw x scale).
class CounterSeries {
public:
    struct Sample {
        Nanos at;
        double value;  ///< as read
        double total;  ///< grown since the first sample: never falls
    };
    /// Mean growth over a stretch of time.
    struct Rate {
        Interval over;
        double perSecond;
    };

    CounterSeries() = default;
    explicit CounterSeries(const CounterRules& rules) : m_rules(rules) {}
    /// In order of time. A second reading of the same instant replaces the first.
    void add(Nanos at, double value);
    [[nodiscard]] bool empty() const { return m_samples.empty(); }
    /// Linear between samples; the first before them, the last after. 0 without any.
    [[nodiscard]] double valueAt(Nanos t) const { return at(t, &Sample::value); }
    /// Growth over the interval. A wrap counts on; a total that was reset in it counts from its new zero, which is the least
    /// that it can have grown.
    [[nodiscard]] double growth(Interval interval) const;
    /// From the first sample to the last.
    [[nodiscard]] double grown() const { return m_samples.empty() ? 0.0 : m_samples.back().total; }
    [[nodiscard]] double last() const { return m_samples.empty() ? 0.0 : m_samples.back().value; }
    /// How often it fell without having wrapped: somebody reset it, or another device or mount took its place.
    [[nodiscard]] std::size_t resets() const { return m_resets; }
    /// True when it stood at its largest value: what it counted is "at least".
    [[nodiscard]] bool saturated() const;

    /// The same growth without the steps of a source that refreshes more slowly than it was read (hw_counters of RDMA ports
    /// live for 10 ms, some drivers gather once a second): only readings at which it moved, and the borders of times in
    /// which it stood still for longer than its refreshing can explain. A source that is read more slowly comes back as it is.
    [[nodiscard]] CounterSeries betweenChanges() const;
    /// Rates over the stretches between its readings.
    [[nodiscard]] std::vector<Rate> rates() const;
    [[nodiscard]] const std::vector<Sample>& samples() const { return m_samples; }

private:
    [[nodiscard]] double at(Nanos t, double Sample::*member) const;
    [[nodiscard]] bool wrapped(double grownModulo, double seconds) const;
    [[nodiscard]] std::vector<std::size_t> changes() const;

    CounterRules m_rules;
    std::vector<Sample> m_samples;
    std::size_t m_resets = 0;
};

struct PlacedSeries {
    store::TrackKey place;
    CounterSeries series;
};

/// All series of the named counters, at the places that are wanted. Decodes only their tracks.
[[nodiscard]] std::vector<PlacedSeries> readCounters(store::RunStore& store, const std::vector<Counter>& counters,
                                                     const std::function<bool(const store::TrackKey&)>& wanted = {});

}  // namespace flowgauge::facts
