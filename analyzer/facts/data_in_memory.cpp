// SPDX-License-Identifier: MIT
#include "analyzer/facts/data_in_memory.h"

#include "analyzer/facts/counter_series.h"

#include <cmath>
#include <map>

namespace flowgauge::facts {
namespace {

/// As the samplers call the places and their ledger lines (collector/sample/data_set.cpp).
constexpr std::string_view opened = "data set", unopened = "data set, unopened", ledgerName = "data set in memory";
constexpr double varianceScale = 1e12;
constexpr double of95Percent = 1.96;  ///< standard deviations
/// Looks come once a second, or more rarely where they cost more; an older one tells nothing of the moment.
constexpr Nanos lastsFor = 10'000'000'000;
/// Fewer files beside those that were opened, and less of the data, are no sample of it.
constexpr double fewestUnopened = 8, leastOfData = 0.1;

/// The series of a place on one host.
struct Looks {
    CounterSeries files, lookedFiles, looked, resident, variance;
};
constexpr std::array columns{std::pair{Counter::DataSetFiles, &Looks::files}, std::pair{Counter::DataSetLookedFiles, &Looks::lookedFiles},
                             std::pair{Counter::DataSetLookedBytes, &Looks::looked},
                             std::pair{Counter::DataSetResidentBytes, &Looks::resident},
                             std::pair{Counter::DataSetVariance, &Looks::variance}};

std::map<store::Id, Looks> looksAt(store::RunStore& store, std::string_view place)
{
    std::map<store::Id, Looks> hosts;
    for (const auto& [counter, column] : columns)
        for (PlacedSeries& placed : readCounters(store, {counter}))
            if (store.nameText(placed.place.source) == place) hosts[placed.place.host].*column = std::move(placed.series);
    return hosts;
}

/// Added up over hosts.
struct Sum {
    double files = 0, lookedFiles = 0, looked = 0, resident = 0, variance = 0;

    void add(const Looks& host, Nanos at)
    {
        const double bytes = host.looked.valueAt(at);
        files += host.files.valueAt(at);
        lookedFiles += host.lookedFiles.valueAt(at);
        looked += bytes;
        resident += host.resident.valueAt(at);
        variance += host.variance.valueAt(at) / varianceScale * bytes * bytes;
    }
    [[nodiscard]] ResidentShare share() const { return {resident / looked, of95Percent * std::sqrt(variance) / looked}; }
};

bool tellsOf(const Looks& host, Nanos at)
{
    const auto& samples = host.looked.samples();
    return !samples.empty() && samples.front().at <= at && at <= samples.back().at + lastsFor;
}

Sum sumAt(const std::map<store::Id, Looks>& hosts, Nanos at)
{
    Sum sum;
    for (const auto& [host, looks] : hosts)
        if (tellsOf(looks, at)) sum.add(looks, at);
    return sum;
}

Sum firstSum(const std::map<store::Id, Looks>& hosts)
{
    Sum sum;
    for (const auto& [host, looks] : hosts)
        if (!looks.looked.empty()) sum.add(looks, looks.looked.samples().front().at);
    return sum;
}

std::string ledgerReason(const RunFacts& run, std::string_view state)
{
    for (const LedgerRow& row : run.ledger)
        if (row.what == ledgerName && row.state == state) return row.reason;
    return {};
}

}  // namespace

Measured<DataInMemory> dataInMemoryOf(store::RunStore& store, const RunFacts& run)
{
    const std::map<store::Id, Looks> hosts = looksAt(store, opened);
    const Sum start = firstSum(looksAt(store, unopened)), first = firstSum(hosts);
    if (first.looked <= 0) {
        const std::string why = ledgerReason(run, "absent");
        return Measured<DataInMemory>::missing(why.empty() ? "no look at a file that was opened for reading was recorded" : why);
    }
    DataInMemory found;
    const std::int64_t asked = run.epochs.empty() ? 0 : run.epochs.front().asked.valueOr(0);
    found.startKnown =
        start.looked > 0 && (start.lookedFiles >= fewestUnopened || start.looked >= leastOfData * static_cast<double>(asked));
    if (found.startKnown) found.atStart = start.share();
    found.looked = std::llround(start.lookedFiles);
    found.files = std::llround(start.files);
    found.method = ledgerReason(run, "measured");
    for (const Epoch& epoch : run.epochs) {
        const Sum sum = sumAt(hosts, epoch.when.end);
        if (epoch.complete && sum.looked > 0) found.epochs.push_back({epoch.number, sum.share()});
    }
    return found;
}

}  // namespace flowgauge::facts
