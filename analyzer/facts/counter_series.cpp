// SPDX-License-Identifier: MIT
#include "analyzer/facts/counter_series.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::facts {
namespace {

constexpr double secondsOf(Nanos duration) { return static_cast<double>(duration) / 1e9; }

/// The value below which a share of the numbers lies.
Nanos quantile(std::vector<Nanos> numbers, double share)
{
    if (numbers.empty()) return 0;
    const auto place = numbers.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(numbers.size() - 1));
    std::nth_element(numbers.begin(), place, numbers.end());
    return *place;
}

}  // namespace

CounterRules rulesOf(const CounterRow& row)
{
    CounterRules rules;
    const double range = std::ldexp(static_cast<double>(row.scale), row.bits);
    if (row.shape == CounterShape::Saturating) rules.saturatesAt = range - static_cast<double>(row.scale);
    if (row.shape == CounterShape::Total && row.bits <= 32) rules.wrapsAt = range;
    return rules;
}

/// Without a ceiling the shorter way round is believed: what wrapped came from close below its end.
bool CounterSeries::wrapped(double grownModulo, double seconds) const
{
    if (m_rules.wrapsAt == 0) return false;
    if (m_rules.ceilingPerSecond > 0) return grownModulo <= m_rules.ceilingPerSecond * seconds * 1.05;
    return grownModulo < m_rules.wrapsAt / 2;
}

void CounterSeries::add(Nanos at, double value)
{
    if (m_samples.empty()) {
        m_samples.push_back({at, value, 0});
        return;
    }
    const Sample before = m_samples.back();
    double grown = value - before.value;
    if (grown < 0) {
        const double modulo = grown + m_rules.wrapsAt;
        const bool isWrap = wrapped(modulo, secondsOf(at - before.at));
        grown = isWrap ? modulo : value;
        m_resets += isWrap ? 0 : 1;
    }
    const Sample sample{at, value, before.total + grown};
    if (at == before.at)
        m_samples.back() = sample;
    else
        m_samples.push_back(sample);
}

double CounterSeries::at(Nanos t, double Sample::*member) const
{
    if (m_samples.empty()) return 0.0;
    const auto after = std::partition_point(m_samples.begin(), m_samples.end(), [t](const Sample& sample) { return sample.at <= t; });
    if (after == m_samples.begin()) return m_samples.front().*member;
    const auto before = std::prev(after);
    if (after == m_samples.end()) return (*before).*member;
    const double part = static_cast<double>(t - before->at) / static_cast<double>(after->at - before->at);
    return (*before).*member + part * ((*after).*member - (*before).*member);
}

double CounterSeries::growth(Interval interval) const
{
    return interval.empty() ? 0.0 : at(interval.end, &Sample::total) - at(interval.begin, &Sample::total);
}

bool CounterSeries::saturated() const
{
    return m_rules.saturatesAt > 0 &&
           std::any_of(m_samples.begin(), m_samples.end(), [this](const Sample& one) { return one.value >= m_rules.saturatesAt; });
}

/// Places of the samples at which the total moved, the first sample included.
std::vector<std::size_t> CounterSeries::changes() const
{
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < m_samples.size(); ++i)
        if (i == 0 || m_samples[i].total != m_samples[i - 1].total) places.push_back(i);
    return places;
}

CounterSeries CounterSeries::betweenChanges() const
{
    const std::vector<std::size_t> moved = changes();
    std::vector<Nanos> readings, movements;
    for (std::size_t i = 1; i < m_samples.size(); ++i) readings.push_back(m_samples[i].at - m_samples[i - 1].at);
    for (std::size_t i = 1; i < moved.size(); ++i) movements.push_back(m_samples[moved[i]].at - m_samples[moved[i - 1]].at);
    // Unchanged readings are not all stored, so that the short distances tell how often it was read.
    const Nanos period = quantile(readings, 0.1), refresh = quantile(movements, 0.5);
    if (movements.size() < 8 || refresh * 2 <= period * 3) return *this;
    const Nanos quiet = std::max(5 * period, 3 * refresh);
    CounterSeries steady(m_rules);
    steady.m_resets = m_resets;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const Sample& here = m_samples[moved[i]];
        const std::size_t next = i + 1 < moved.size() ? moved[i + 1] : m_samples.size();
        steady.m_samples.push_back(here);
        const Sample& still = m_samples[next - 1];  // the last reading before the next movement
        if (next == m_samples.size()) {
            if (next - 1 > moved[i]) steady.m_samples.push_back(still);
        } else if (still.at - here.at > quiet) {
            // The next movement may have begun one refresh before it was seen.
            steady.m_samples.push_back({std::min(still.at, m_samples[next].at - refresh), here.value, here.total});
        }
    }
    return steady;
}

std::vector<CounterSeries::Rate> CounterSeries::rates() const
{
    std::vector<Rate> all;
    for (std::size_t i = 1; i < m_samples.size(); ++i) {
        const Sample &before = m_samples[i - 1], &after = m_samples[i];
        all.push_back({{before.at, after.at}, (after.total - before.total) / secondsOf(after.at - before.at)});
    }
    return all;
}

std::vector<PlacedSeries> readCounters(store::RunStore& store, const std::vector<Counter>& counters,
                                       const std::function<bool(const store::TrackKey&)>& wanted)
{
    store::EventQuery query{{Kind::CounterSample}, {}, {}};
    for (const store::TrackRow& track : store.tracks()) {
        const bool named = track.key.counter && std::find(counters.begin(), counters.end(), *track.key.counter) != counters.end();
        if (named && (!wanted || wanted(track.key))) query.tracks.push_back(track.id);
    }
    std::vector<PlacedSeries> all;
    if (query.tracks.empty()) return all;  // an empty list would mean every track
    store::Id current = 0;
    store.scan(query, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const CounterRow& row = rowOf(*track.key.counter);
        if (track.id != current) all.push_back({track.key, CounterSeries(rulesOf(row))});
        current = track.id;
        const double scale = row.scale;
        for (const store::StoredEvent& event : events) all.back().series.add(event.begin, static_cast<double>(event.arg[2]) * scale);
        return true;
    });
    return all;
}

}  // namespace flowgauge::facts
