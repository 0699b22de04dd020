// SPDX-License-Identifier: MIT
#include "analyzer/facts/fetched.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/embedded_sql.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace flowgauge::facts {
namespace {

bool isUnder(std::string_view file, std::string_view mount)
{
    return mount.size() > 1 && file.starts_with(mount) && (file.size() == mount.size() || file[mount.size()] == '/');
}

/// The mounts among `mounts` that hold data; empty unless most of what was read lies on them.
std::vector<std::string> mountsOfData(store::RunStore& store, const std::vector<std::string>& mounts)
{
    std::vector<std::string> holding;
    std::int64_t all = 0;
    std::int64_t onMounts = 0;
    store::Statement files = store.database().prepare(sql::bytesByFile);
    while (files.step()) {
        const std::string file = files.text(0);
        const std::int64_t bytes = files.integer(1);
        all += bytes;
        const auto mount = std::find_if(mounts.begin(), mounts.end(), [&](const std::string& path) { return isUnder(file, path); });
        if (mount == mounts.end()) continue;
        onMounts += bytes;
        if (std::find(holding.begin(), holding.end(), *mount) == holding.end()) holding.push_back(*mount);
    }
    if (2 * onMounts <= all) holding.clear();
    return holding;
}

std::vector<PlacedSeries> mountSeriesOfData(store::RunStore& store)
{
    std::vector<PlacedSeries> series = readCounters(store, {Counter::NfsFetchedBytes, Counter::FsFetchedBytes});
    std::vector<std::string> mounts;
    mounts.reserve(series.size());
    for (const PlacedSeries& placed : series) mounts.push_back(store.nameText(placed.place.source));
    const std::vector<std::string> holding = mountsOfData(store, mounts);
    std::erase_if(series, [&](const PlacedSeries& placed) {
        return std::find(holding.begin(), holding.end(), store.nameText(placed.place.source)) == holding.end();
    });
    return series;
}

using SeriesList = std::vector<const CounterSeries*>;

std::int64_t growthOf(const SeriesList& series, const IntervalSet& when)
{
    double sum = 0;
    for (const CounterSeries* one : series)
        for (const Interval window : when.intervals()) sum += one->growth(window);
    return std::llround(sum);
}

/// Reads waited for storage for this share of their time, yet no byte was counted as fetched: the file system (FUSE, some
/// network ones) does not account its fetches. Saying 0 would call a slow disk a warm cache.
constexpr double waitedButUncounted = 0.2;

bool fetchesAreCounted(const RankFacts& rank, std::int64_t fetched)
{
    return fetched > 0 || static_cast<double>(rank.reads.waitedNs) <= waitedButUncounted * static_cast<double>(rank.reads.time);
}

void putRankFetched(const SeriesList& series, RankFacts& rank)
{
    const bool counted = fetchesAreCounted(rank, growthOf(series, IntervalSet::of({{rank.extent.begin, rank.extent.end + 1}})));
    const IntervalSet beside = rank.besideTraining();
    for (EpochPart& part : rank.epochs) {
        if (series.empty())
            part.fetched = Measured<std::int64_t>::missing("no samples of the processes' storage reads");
        else if (!counted)
            part.fetched = Measured<std::int64_t>::missing("this file system does not count what it fetches");
        else
            part.fetched = growthOf(series, IntervalSet::of({{part.fetchesFrom, part.when.end}}).minus(beside));
    }
}

/// A program that maps its data reads it without a call; one that maps a small file beside does not.
bool readsByMapping(const RankFacts& rank, const EpochPart& part) { return 2 * part.reads.bytes < rank.mappedBytes(); }

void putAsked(RankFacts& rank)
{
    for (EpochPart& part : rank.epochs)
        part.asked = readsByMapping(rank, part) ? Measured<std::int64_t>::missing("files are mapped: pages are read without a call")
                                                : Measured<std::int64_t>(part.reads.bytes);
}

void putFaults(const SeriesList& series, RankFacts& rank)
{
    const IntervalSet beside = rank.besideTraining();
    for (EpochPart& part : rank.epochs) {
        if (part.asked.known()) continue;
        part.faults = series.empty() ? Measured<std::int64_t>::missing("no samples of the processes' page faults")
                                     : growthOf(series, IntervalSet::of({part.when}).minus(beside));
    }
}

/// Sum over ranks of a part's value, or why one of them has none.
Measured<std::int64_t> sumOver(const RunFacts& run, std::int64_t number, Measured<std::int64_t> EpochPart::*value)
{
    std::int64_t sum = 0;
    bool any = false;
    for (const RankFacts& rank : run.ranks)
        for (const EpochPart& part : rank.epochs) {
            if (part.number != number) continue;
            if (!(part.*value).known()) return part.*value;
            sum += (part.*value).value();
            any = true;
        }
    return any ? Measured<std::int64_t>(sum)
               : Measured<std::int64_t>::missing(run.ranks.empty() ? "no process was recorded" : "no rank has this epoch");
}

/// The series of the processes of each rank of the share.
std::vector<SeriesList> byRank(const std::vector<PlacedSeries>& all, const Layout& layout)
{
    std::vector<SeriesList> lists(layout.groups.size());
    for (const PlacedSeries& placed : all)
        if (const auto group = layout.groupOf.find(placed.place.process); group != layout.groupOf.end())
            lists[group->second].push_back(&placed.series);
    return lists;
}

/// When the wire's bytes are those of this epoch's training, on any rank.
IntervalSet fetchWindow(const RunFacts& run, const Epoch& epoch)
{
    Interval window = epoch.when;
    IntervalSet beside;
    for (const RankFacts& rank : run.ranks) {
        beside = beside.united(rank.besideTraining());
        for (const EpochPart& part : rank.epochs)
            if (part.number == epoch.number) window.begin = std::min(window.begin, part.fetchesFrom);
    }
    return IntervalSet::of({window}).minus(beside);
}

}  // namespace

void putFetchedByRank(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks)
{
    const auto isOurs = [&layout](const store::TrackKey& place) { return layout.groupOf.contains(place.process); };
    const std::vector<PlacedSeries> fetched = readCounters(store, {Counter::ProcessReadBytes}, isOurs);
    const std::vector<PlacedSeries> faults = readCounters(store, {Counter::ProcessMinorFaults, Counter::ProcessMajorFaults}, isOurs);
    const std::vector<SeriesList> fetchedByRank = byRank(fetched, layout);
    const std::vector<SeriesList> faultsByRank = byRank(faults, layout);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        putRankFetched(fetchedByRank[i], ranks[i]);
        putAsked(ranks[i]);
        putFaults(faultsByRank[i], ranks[i]);
    }
}

void putFetchedByJob(store::RunStore& store, RunFacts& run)
{
    const std::vector<PlacedSeries> mounts = mountSeriesOfData(store);
    SeriesList wire;
    bool nfs = true;
    for (const PlacedSeries& placed : mounts) {
        wire.push_back(&placed.series);
        nfs = nfs && placed.place.counter == Counter::NfsFetchedBytes;
    }
    for (Epoch& epoch : run.epochs) {
        epoch.asked = sumOver(run, epoch.number, &EpochPart::asked);
        epoch.faults = sumOver(run, epoch.number, &EpochPart::faults);
        epoch.fetched = wire.empty() ? sumOver(run, epoch.number, &EpochPart::fetched)
                                     : Measured<std::int64_t>(growthOf(wire, fetchWindow(run, epoch)));
        epoch.fetchedSource = wire.empty() ? "process" : nfs ? "nfs" : "file system";
        for (const RankFacts& rank : run.ranks)
            for (const EpochPart& part : rank.epochs)
                if (part.number == epoch.number) epoch.evaluation += part.evaluation.bytes;
    }
}

Measured<Nanos> processorTime(store::RunStore& store)
{
    const std::vector<PlacedSeries> all = readCounters(store, {Counter::ProcessCpuUser, Counter::ProcessCpuSystem});
    if (all.empty()) return Measured<Nanos>::missing("the processes' processor time was not sampled");
    double micros = 0;
    for (const PlacedSeries& placed : all) micros += placed.series.last();
    return std::llround(micros * 1000);
}

Measured<double> processorsIdle(store::RunStore& store)
{
    struct Ticks {
        double idle = 0, all = 0;
    };
    std::map<store::Id, Ticks> hosts;
    for (const PlacedSeries& placed : readCounters(store, {Counter::CpuUser, Counter::CpuSystem, Counter::CpuIdle, Counter::CpuIoWait})) {
        const bool idle = placed.place.counter == Counter::CpuIdle || placed.place.counter == Counter::CpuIoWait;
        Ticks& ticks = hosts[placed.place.host];
        const double grown = placed.series.grown();
        ticks.all += grown;
        if (idle) ticks.idle += grown;
    }
    Measured<double> least = Measured<double>::missing("the processors' time was not sampled");
    for (const auto& [host, ticks] : hosts)
        if (ticks.all > 0) least = std::min(least.valueOr(1.0), ticks.idle / ticks.all);
    return least;
}

}  // namespace flowgauge::facts
