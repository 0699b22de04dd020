// SPDX-License-Identifier: MIT
#include "analyzer/facts/cache_fit.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/embedded_sql.h"
#include "analyzer/facts/epoch_reads.h"
#include "analyzer/facts/read_order.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

namespace flowgauge::facts {
namespace {

/// Pages that hold the data's borders are shared, and a reading is a moment old.
constexpr double asGoodAsAll = 0.99;
/// What the kernel asks of a file system, in bytes: where it is not known, Linux's read-ahead and what most disks take.
struct Requests {
    std::int64_t readAhead = 128 << 10, largest = 1280 << 10;
};
/// Less of what was asked for than this is too little to play the epoch again.
constexpr double mostOfIt = 0.9;
/// The first epoch may fetch so many bytes a byte asked more than when it is played: programs, what others read. Beyond it other rules
/// than ours are at work.
constexpr double closeEnough = 0.15;
/// The kernel and programs keep some megabytes of file pages of their own: of a smaller cache that is too large a part to leave aside.
constexpr std::int64_t smallestCache = 64 << 20;
/// As many epochs as that are played: later ones are alike.
constexpr std::int64_t mostPlayed = 5;

/// Of one place, at a time; 0 where it was not sampled.
double readingAt(store::RunStore& store, Counter counter, Nanos at)
{
    const std::vector<PlacedSeries> all = readCounters(store, {counter});
    return all.empty() ? 0 : all.front().series.valueAt(at);
}

/// What file pages may take: with a limit of its own the job has what others leave of its cgroup's, else what the kernel calls available
/// on the host. Programs are among those pages, and what was read before: the kernel lets go of most of that when data needs the room.
Measured<double> roomForFiles(store::RunStore& store, Nanos at, CacheFit& fit)
{
    const double limit = readingAt(store, Counter::CgroupLimit, at);
    fit.cache = limit > 0 ? "the job's cgroup" : "the host";
    if (limit > 0) return readingAt(store, Counter::CgroupFileCache, at) + limit - readingAt(store, Counter::CgroupUsed, at);
    const double room = std::max(readingAt(store, Counter::MemoryAvailable, at), readingAt(store, Counter::PageCache, at));
    if (room > 0) return room;
    return Measured<double>::missing("the page cache was not sampled");
}

/// Bytes asked and fetched of the epochs that read again.
struct Again {
    std::vector<const Epoch*> epochs;
    double asked = 0, fetched = 0;
};

/// The second epoch is left out where there are more: in it the cache still holds what was read before the data.
Again readAgain(const std::vector<Epoch>& epochs)
{
    Again again;
    for (std::size_t i = epochs.size() > 2 ? 2 : 1; i < epochs.size(); ++i) {
        const Epoch& epoch = epochs[i];
        if (!epoch.complete || !epoch.asked.known() || !epoch.fetched.known() || epoch.asked.value() <= 0) continue;
        again.epochs.push_back(&epoch);
        again.asked += static_cast<double>(epoch.asked.value());
        again.fetched += static_cast<double>(epoch.fetched.value());
    }
    return again;
}

/// By where they are mounted.
std::map<std::string, Requests> requestsOfMounts(store::RunStore& store)
{
    std::map<std::string, Requests> mounts;
    for (const PlacedSeries& placed : readCounters(store, {Counter::ReadAhead, Counter::LargestRequest})) {
        Requests& mount = mounts[store.nameText(placed.place.source)];
        (placed.place.counter == Counter::ReadAhead ? mount.readAhead : mount.largest) = std::llround(placed.series.last());
    }
    return mounts;
}

/// Of the file system that most of the data lies on: of the mounts that a file lies under, the deepest.
Requests requestsOfData(store::RunStore& store)
{
    std::map<std::string, Requests> mounts = requestsOfMounts(store);
    std::map<std::string, std::int64_t> bytes;
    store::Statement files = store.database().prepare(sql::bytesByFile);
    while (files.step()) {
        std::filesystem::path folder = std::filesystem::path(files.text(0)).parent_path();
        while (!mounts.contains(folder) && folder.has_relative_path()) folder = folder.parent_path();
        bytes[folder] += files.integer(1);
    }
    const auto most =
        std::max_element(bytes.begin(), bytes.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
    return most != bytes.end() && mounts.contains(most->first) ? mounts[most->first] : Requests();
}

IntervalSet besideTraining(const RunFacts& run)
{
    IntervalSet beside;
    for (const RankFacts& rank : run.ranks) beside = beside.united(rank.besideTraining());
    return beside;
}

/// Whether all hosts' kernels are of 6.6 or later, as the ledger has them ("6.1.0-28-amd64"); false where none is known.
bool kernelsAreNew(const RunFacts& run)
{
    bool any = false;
    for (const LedgerRow& row : run.ledger) {
        if (row.what != "kernel" || row.state != "measured") continue;
        any = true;
        int major = 0, minor = 0;
        if (std::sscanf(row.reason.c_str(), "%d.%d", &major, &minor) != 2 || std::pair(major, minor) < std::pair(6, 6)) return false;
    }
    return any;
}

/// By the kernel's rule for reading on. Vendors took the one of 6.6 into older kernels: of those, by the rule that comes nearer to what the
/// first epoch fetched a byte asked. (That alone would not do: programs and what others read are in it too, and look like the older rule.)
Played playedAsFetched(const EpochReads& reads, Playing how, bool isNew, double fetched)
{
    const Played newer = play(reads, how);
    if (isNew) return newer;
    how.goesOnWithinCalls = true;
    const Played older = play(reads, how);
    return std::abs(older.firstFetched - fetched) < std::abs(newer.firstFetched - fetched) ? older : newer;
}

Measured<CacheForecast> forecastOf(store::RunStore& store, const RunFacts& run, const CacheFit& fit)
{
    using Missing = Measured<CacheForecast>;
    if (fit.cacheBytes < smallestCache) return Missing::missing("of so small a cache the kernel and programs hold too large a part");
    const Epoch& first = run.epochs.front();
    const EpochReads reads(store, first.when, besideTraining(run));
    if (static_cast<double>(reads.asked()) < mostOfIt * static_cast<double>(fit.dataBytes))
        return Missing::missing("where in their files most reads of the first epoch lie is not known");
    const auto epochs = static_cast<int>(std::min(fit.lastEpoch - first.number, mostPlayed));
    const int counted = fit.firstEpoch > first.number + 1 && epochs > 1 ? epochs - 1 : 1;
    const Requests requests = requestsOfData(store);
    const double fetched = static_cast<double>(first.fetched.valueOr(0)) / static_cast<double>(fit.dataBytes);
    const Played played = playedAsFetched(reads, {fit.cacheBytes, requests.readAhead, requests.largest, fit.order, epochs, counted},
                                          kernelsAreNew(run), fetched);
    if (fetched > played.firstFetched + closeEnough) return Missing::missing("the first epoch fetched more than read-ahead explains");
    return played.later;
}

}  // namespace

Measured<CacheFit> cacheFitOf(store::RunStore& store, const RunFacts& run)
{
    using Missing = Measured<CacheFit>;
    if (run.hosts != 1) return Missing::missing("each of several hosts reads a part of the data that differs by epoch");
    const Again again = readAgain(run.epochs);
    if (again.epochs.empty()) return Missing::missing("no complete epoch after the first tells what it asked for and fetched");
    const Epoch& first = run.epochs.front();
    if (!first.asked.known()) return Missing::missing(first.asked.reason());
    CacheFit fit;
    fit.firstEpoch = again.epochs.front()->number;
    fit.lastEpoch = again.epochs.back()->number;
    const Measured<double> room = roomForFiles(store, first.when.end, fit);
    if (!room.known()) return Missing::missing(room.reason());
    fit.dataBytes = first.asked.value();
    fit.cacheBytes = std::llround(room.value());
    fit.observedFetched = again.fetched / again.asked;
    fit.observed = 1 - std::min(1.0, fit.observedFetched);
    fit.forecast = CacheForecast{1, 1, 0};
    if (room.value() >= asGoodAsAll * static_cast<double>(fit.dataBytes)) return fit;
    if (fit.observed >= asGoodAsAll) return Missing::missing("the data lies in memory that another job or cgroup is charged for");
    const Measured<ReadOrder> order = readOrderOf(store, run.epochs[0].when, run.epochs[1].when);
    if (!order.known()) return Missing::missing(order.reason());
    fit.order = order.value();
    fit.forecast = forecastOf(store, run, fit);
    return fit;
}

}  // namespace flowgauge::facts
