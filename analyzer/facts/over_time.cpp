// SPDX-License-Identifier: MIT
#include "analyzer/facts/over_time.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/port_traffic.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace flowgauge::facts {
namespace {

/// The slices' borders and what is asked of them.
struct Slices {
    Interval when;
    std::size_t count;

    [[nodiscard]] Interval at(std::size_t i) const
    {
        const auto border = [&](std::size_t k) {
            return when.begin +
                   static_cast<Nanos>(static_cast<double>(when.length()) * static_cast<double>(k) / static_cast<double>(count));
        };
        return {border(i), border(i + 1)};
    }
    [[nodiscard]] double seconds() const { return static_cast<double>(when.length()) / static_cast<double>(count) / 1e9; }
    [[nodiscard]] std::size_t of(Nanos t) const
    {
        const double share = static_cast<double>(t - when.begin) / static_cast<double>(when.length());
        return std::min(count - 1, static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(count)));
    }
};

/// Bytes per second of all series together.
std::vector<double> ratesOf(const std::vector<PlacedSeries>& all, const Slices& slices)
{
    if (all.empty()) return {};
    std::vector<double> rates(slices.count);
    for (const PlacedSeries& placed : all) {
        const CounterSeries steady = placed.series.betweenChanges();
        for (std::size_t i = 0; i < slices.count; ++i) rates[i] += std::max(0.0, steady.growth(slices.at(i))) / slices.seconds();
    }
    return rates;
}

std::set<store::Id> hostsWithProcesses(store::RunStore& store)
{
    std::set<store::Id> hosts;
    for (const store::ProcessRow& process : store.processes()) hosts.insert(process.host);
    return hosts;
}

std::vector<double> disksOf(store::RunStore& store, const Slices& slices)
{
    std::vector<PlacedSeries> all = readCounters(store, {Counter::DiskReadBytes});
    const std::set<store::Id> working = hostsWithProcesses(store);
    const auto serves = [&](const PlacedSeries& placed) { return !working.contains(placed.place.host); };
    if (std::any_of(all.begin(), all.end(), serves)) std::erase_if(all, [&](const PlacedSeries& placed) { return !serves(placed); });
    return ratesOf(all, slices);
}

/// An interface over an InfiniBand port counts its bytes once more.
std::vector<double> portsOf(store::RunStore& store, const std::vector<Counter>& ports, Counter interface, const Slices& slices)
{
    const std::set<store::Id> working = hostsWithProcesses(store);
    std::vector<PlacedSeries> all = readCounters(store, ports);
    std::set<store::Id> served;
    std::erase_if(all, [&](const PlacedSeries& placed) { return !working.contains(placed.place.host); });
    for (const PlacedSeries& placed : all)
        if (placed.series.grown() > 0) served.insert(placed.place.host);
    for (PlacedSeries& placed : readCounters(store, {interface})) {
        const std::string name = store.nameText(placed.place.source);
        const bool twice = served.contains(placed.place.host) && isOverInfiniband(name);
        if (working.contains(placed.place.host) && !twice && name != "lo") all.push_back(std::move(placed));
    }
    return ratesOf(all, slices);
}

std::vector<StepSlice> stepsOf(const RunFacts& run, const Slices& slices)
{
    if (!run.haveSteps()) return {};
    std::vector<StepSlice> result(slices.count);
    for (const RankFacts& rank : run.ranks) {
        const PartSets parts(rank);
        for (const Step& step : rank.steps) {
            StepSlice& slice = result[slices.of(step.when.begin)];
            slice.parts += parts.within(step.when);
            ++slice.steps;
        }
    }
    return result;
}

}  // namespace

std::vector<double> askedOver(store::RunStore& store, Interval when, std::size_t count)
{
    const Slices slices{when, std::max<std::size_t>(count, 1)};
    std::vector<double> rates;
    if (when.empty()) return rates;
    for (const store::TrackRow& track : store.tracks()) {
        if (track.key.lane != Lane::Io) continue;
        rates.resize(slices.count);
        const auto buckets = store.buckets(track.id, slices.when, static_cast<int>(slices.count));
        for (std::size_t i = 0; i < std::min(buckets.size(), rates.size()); ++i)
            rates[i] += static_cast<double>(buckets[i].bytes) / slices.seconds();
    }
    return rates;
}

OverTime overTime(store::RunStore& store, const RunFacts& run, std::size_t count)
{
    return overTime(store, run, count, askedOver(store, run.extent, count));
}

OverTime overTime(store::RunStore& store, const RunFacts& run, std::size_t count, std::vector<double> asked)
{
    OverTime result;
    result.when = run.extent;
    if (run.extent.empty()) return result;
    const Slices slices{run.extent, std::max<std::size_t>(count, 1)};
    result.asked = std::move(asked);
    // The client counts what programs ask for as the bytes are handed out; a read call's tile counts all of them at its begin.
    const std::vector<double> counted = ratesOf(readCounters(store, {Counter::NfsAskedBytes, Counter::FsAskedBytes}), slices);
    const auto sum = [](const std::vector<double>& rates) { return std::accumulate(rates.begin(), rates.end(), 0.0); };
    if (sum(counted) > 0.9 * sum(result.asked)) result.asked = counted;
    std::vector<PlacedSeries> fetched = readCounters(store, {Counter::NfsFetchedBytes, Counter::FsFetchedBytes});
    if (std::none_of(fetched.begin(), fetched.end(), [](const PlacedSeries& placed) { return placed.series.grown() > 0; }))
        fetched = readCounters(store, {Counter::ProcessReadBytes});
    result.fetched = ratesOf(fetched, slices);
    result.disks = disksOf(store, slices);
    result.received = portsOf(store, {Counter::IbRxBytes, Counter::IbRxFlits, Counter::IbRxHwBytes}, Counter::NicRxBytes, slices);
    result.sent = portsOf(store, {Counter::IbTxBytes, Counter::IbTxFlits, Counter::IbTxHwBytes}, Counter::NicTxBytes, slices);
    result.steps = stepsOf(run, slices);
    return result;
}

}  // namespace flowgauge::facts
