// SPDX-License-Identifier: MIT
#include "analyzer/facts/watched.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

using Samples = std::vector<CounterSeries::Sample>;

constexpr Nanos watchedOver = 1'000'000'000;

WatchedCounter levelsOf(const Samples& samples)
{
    WatchedCounter watched{{}, {}, {}, samples.front().value, samples.front().value, samples.front().value};
    double sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        watched.least = std::min(watched.least, samples[i].value);
        watched.most = std::max(watched.most, samples[i].value);
        if (i > 0) sum += (samples[i].value + samples[i - 1].value) / 2 * static_cast<double>(samples[i].at - samples[i - 1].at);
    }
    const Nanos length = samples.back().at - samples.front().at;
    // Sums round: a value that never moves would have a mean beside itself.
    if (length > 0) watched.mean = std::clamp(sum / static_cast<double>(length), watched.least, watched.most);
    return watched;
}

double ratePerSecond(const CounterSeries::Sample& from, const CounterSeries::Sample& to)
{
    return (to.total - from.total) * 1e9 / static_cast<double>(to.at - from.at);
}

WatchedCounter ratesIn(const Samples& samples)
{
    WatchedCounter watched;
    if (samples.back().at == samples.front().at) return watched;
    watched.least = watched.mean = watched.most = ratePerSecond(samples.front(), samples.back());
    for (std::size_t from = 0, to = 0; to < samples.size(); ++to) {
        if (samples[to].at - samples[from].at < watchedOver) continue;
        const double rate = ratePerSecond(samples[from], samples[to]);
        watched.least = std::min(watched.least, rate);
        watched.most = std::max(watched.most, rate);
        from = to;
    }
    return watched;
}

}  // namespace

std::vector<WatchedCounter> watchedOf(store::RunStore& store, std::optional<CounterFamily> family)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    std::vector<WatchedCounter> all;
    for (const CounterRow& row : counterRows) {
        if (row.family == CounterFamily::Process || row.family == CounterFamily::Sampler || row.family != family.value_or(row.family))
            continue;
        for (const PlacedSeries& placed : readCounters(store, {row.counter})) {
            if (placed.series.empty()) continue;
            const Samples& samples = placed.series.samples();
            WatchedCounter watched = row.shape == CounterShape::Gauge ? levelsOf(samples) : ratesIn(samples);
            watched.host = nameOfHost(hosts, placed.place.host);
            watched.place = store.nameText(placed.place.source);
            watched.counter = row.counter;
            if (watched.most > 0) all.push_back(std::move(watched));
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const WatchedCounter& left, const WatchedCounter& right) {
        return rowOf(left.counter).family < rowOf(right.counter).family;
    });
    return all;
}

}  // namespace flowgauge::facts
