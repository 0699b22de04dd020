// SPDX-License-Identifier: MIT
#include "analyzer/facts/counter_series.h"

#include <algorithm>

namespace flowgauge::facts {

double CounterSeries::valueAt(Nanos t) const
{
    if (m_samples.empty()) return 0.0;
    const auto after = std::partition_point(m_samples.begin(), m_samples.end(), [t](const Sample& sample) { return sample.at <= t; });
    if (after == m_samples.begin()) return m_samples.front().value;
    const auto before = std::prev(after);
    if (after == m_samples.end()) return before->value;
    const double part = static_cast<double>(t - before->at) / static_cast<double>(after->at - before->at);
    return before->value + part * (after->value - before->value);
}

double CounterSeries::growth(Interval interval) const
{
    if (m_samples.empty() || interval.empty()) return 0.0;
    double sum = 0;
    double previous = valueAt(interval.begin);
    const auto first =
        std::partition_point(m_samples.begin(), m_samples.end(), [&](const Sample& sample) { return sample.at <= interval.begin; });
    for (auto at = first; at != m_samples.end() && at->at < interval.end; ++at) {
        sum += at->value >= previous ? at->value - previous : at->value;
        previous = at->value;
    }
    return sum + std::max(0.0, valueAt(interval.end) - previous);
}

std::vector<PlacedSeries> readCounters(store::RunStore& store, const std::vector<Counter>& counters)
{
    store::EventQuery query{{Kind::CounterSample}, {}, {}};
    for (const store::TrackRow& track : store.tracks())
        if (track.key.counter && std::find(counters.begin(), counters.end(), *track.key.counter) != counters.end())
            query.tracks.push_back(track.id);
    std::vector<PlacedSeries> all;
    if (query.tracks.empty()) return all;  // an empty list would mean every track
    store::Id current = 0;
    store.scan(query, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        if (track.id != current) all.push_back({track.key, {}});
        current = track.id;
        const double scale = rowOf(*track.key.counter).scale;
        for (const store::StoredEvent& event : events) all.back().series.add(event.begin, static_cast<double>(event.arg[2]) * scale);
        return true;
    });
    return all;
}

}  // namespace flowgauge::facts
