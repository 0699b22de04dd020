// SPDX-License-Identifier: MIT
#include "analyzer/facts/server_rates.h"

#include "analyzer/facts/counter_series.h"

#include <algorithm>
#include <array>
#include <map>

namespace flowgauge::facts {
namespace {

struct CacheLevel {
    Counter reads, hits;
};
constexpr std::array cacheLevels{CacheLevel{Counter::StorageL1Reads, Counter::StorageL1Hits},
                                 CacheLevel{Counter::StorageL2Reads, Counter::StorageL2Hits},
                                 CacheLevel{Counter::StorageL3Reads, Counter::StorageL3Hits}};

/// A rate that a server tells is its mean since it told the one before.
Measured<double> meanRate(const CounterSeries* series, Interval when)
{
    if (series == nullptr || series->empty()) return Measured<double>::missing("the storage system did not tell it");
    const std::vector<CounterSeries::Sample>& samples = series->samples();
    double sum = 0;
    Nanos known = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Nanos from = std::max(i == 0 ? when.begin : samples[i - 1].at, when.begin);
        const Nanos until = std::min(samples[i].at, when.end);
        if (until <= from) continue;
        sum += samples[i].value * static_cast<double>(until - from);
        known += until - from;
    }
    return known > 0 ? sum / static_cast<double>(known) : series->last();
}

/// One storage system's series; those of its nodes added up where only they tell.
class ServerSeries {
public:
    void take(PlacedSeries placed, bool whole)
    {
        if (whole)
            m_whole[*placed.place.counter] = std::move(placed.series);
        else
            m_nodes[*placed.place.counter].push_back(std::move(placed.series));
    }
    [[nodiscard]] ServerRates within(Interval when) const
    {
        ServerRates rates;
        rates.served = meanRate(find(Counter::StorageReadRate), when);
        rates.disks = meanRate(find(Counter::StorageDiskReadRate), when);
        rates.network = meanRate(find(Counter::StorageNetTxRate), when);
        rates.cacheHits = hitsWithin(when);
        return rates;
    }

private:
    [[nodiscard]] const CounterSeries* find(Counter counter) const
    {
        const auto found = m_whole.find(counter);
        return found == m_whole.end() ? nullptr : &found->second;
    }
    [[nodiscard]] double grownOnNodes(Counter counter, Interval when) const
    {
        double sum = 0;
        if (const auto found = m_nodes.find(counter); found != m_nodes.end())
            for (const CounterSeries& series : found->second) sum += series.growth(when);
        return sum;
    }
    /// What one level does not hold is asked of the next: only the reads of the first are all reads.
    [[nodiscard]] Measured<double> hitsWithin(Interval when) const
    {
        const double reads = grownOnNodes(cacheLevels.front().reads, when);
        if (reads <= 0) return Measured<double>::missing("its nodes told no reads of their caches meanwhile");
        double hits = 0;
        for (const CacheLevel& level : cacheLevels) hits += grownOnNodes(level.hits, when);
        return std::min(1.0, hits / reads);
    }

    std::map<Counter, CounterSeries> m_whole;
    std::map<Counter, std::vector<CounterSeries>> m_nodes;
};

std::map<std::string, ServerSeries> serversOf(store::RunStore& store)
{
    std::vector<Counter> wanted{Counter::StorageReadRate, Counter::StorageDiskReadRate, Counter::StorageNetTxRate};
    for (const CacheLevel& level : cacheLevels) wanted.insert(wanted.end(), {level.reads, level.hits});
    std::map<std::string, ServerSeries> servers;
    for (PlacedSeries& placed : readCounters(store, wanted)) {
        const std::string source = store.nameText(placed.place.source);
        const std::size_t slash = source.find('/');
        servers[source.substr(0, slash)].take(std::move(placed), slash == std::string::npos);
    }
    return servers;
}

}  // namespace

std::vector<ServerRates> serverRatesOf(store::RunStore& store, const RunFacts& run)
{
    std::vector<ServerRates> all;
    for (const auto& server : serversOf(store)) {
        const auto add = [&](std::int64_t epoch, Interval when) {
            all.push_back(server.second.within(when));
            all.back().server = server.first;
            all.back().epoch = epoch;
        };
        add(0, run.extent);
        for (const Epoch& epoch : run.epochs) add(epoch.number, epoch.when);
    }
    return all;
}

}  // namespace flowgauge::facts
