// SPDX-License-Identifier: MIT
#include "analyzer/facts/outages.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace flowgauge::facts {
namespace {

constexpr Nanos leastOutage = 1'000'000'000;

/// Requests of one class, by how many ended and how long they took.
struct RequestClass {
    Counter ended, took;
};
constexpr std::array requestClasses{RequestClass{Counter::NfsReadOps, Counter::NfsReadExecuteMs},
                                    RequestClass{Counter::NfsWriteOps, Counter::NfsWriteExecuteMs},
                                    RequestClass{Counter::NfsOtherOps, Counter::NfsOtherExecuteMs}};

using ByCounter = std::map<Counter, CounterSeries>;

/// What a host's mounts count together with what its connections count.
struct Client {
    std::map<store::Id, ByCounter> mounts, servers;  ///< by source
};

double grown(const ByCounter& series, Counter counter, Interval when)
{
    const auto found = series.find(counter);
    return found == series.end() ? 0.0 : found->second.growth(when);
}

/// By requests that ended within the stretch and had begun before it: one that begins in it takes no longer than it lasts. At least.
Nanos waitedBefore(const Client& client, Interval stretch)
{
    const double longestInside = static_cast<double>(stretch.length());
    double waited = 0;
    for (const auto& [mount, series] : client.mounts)
        for (const RequestClass& row : requestClasses)
            waited += std::max(0.0, grown(series, row.took, stretch) * 1e6 - grown(series, row.ended, stretch) * longestInside);
    return static_cast<Nanos>(waited);
}

/// A request is told as ended a moment after its reply: in the same reading, or in the next.
Nanos waitedBefore(const Client& client, const std::vector<CounterSeries::Sample>& samples, std::size_t answered)
{
    const std::size_t next = std::min(answered + 1, samples.size() - 1);
    const Nanos before = samples[answered - 1].at;
    return std::max(waitedBefore(client, {before, samples[answered].at}), waitedBefore(client, {before, samples[next].at}));
}

void addOutages(const Client& client, const ByCounter& server, std::vector<Outage>& outages)
{
    const auto found = server.find(Counter::NfsReceives);
    if (found == server.end()) return;
    const std::vector<CounterSeries::Sample>& samples = found->second.samples();
    std::size_t last = 0;  // the first reading with as many replies
    for (std::size_t i = 1; i < samples.size(); ++i) {
        if (samples[i].total == samples[last].total) continue;
        const Nanos silentSince = samples[last].at;
        last = i;
        if (samples[i].at - silentSince < leastOutage) continue;
        const Nanos waited = waitedBefore(client, samples, i);
        const Interval when{std::max(silentSince, samples[i].at - waited), samples[i].at};
        if (when.length() < leastOutage) continue;
        const Interval around{when.begin, when.end + 1};
        Outage outage{{}, {}, when, waited, grown(server, Counter::NfsConnects, around), 0};
        for (const auto& [mount, series] : client.mounts)
            for (const Counter counter : {Counter::NfsReadRetrans, Counter::NfsReadTimeouts, Counter::NfsOtherTimeouts})
                outage.retransmits += grown(series, counter, around);
        outages.push_back(std::move(outage));
    }
}

std::map<store::Id, Client> clientsOf(store::RunStore& store)
{
    std::vector<Counter> ofMounts{Counter::NfsReadRetrans, Counter::NfsReadTimeouts, Counter::NfsOtherTimeouts};
    for (const RequestClass& row : requestClasses) ofMounts.insert(ofMounts.end(), {row.ended, row.took});
    std::map<store::Id, Client> clients;
    for (PlacedSeries& placed : readCounters(store, ofMounts))
        clients[placed.place.host].mounts[placed.place.source][*placed.place.counter] = std::move(placed.series);
    for (PlacedSeries& placed : readCounters(store, {Counter::NfsReceives, Counter::NfsConnects}))
        clients[placed.place.host].servers[placed.place.source][*placed.place.counter] = std::move(placed.series);
    return clients;
}

}  // namespace

std::vector<Outage> outagesOf(store::RunStore& store)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    std::vector<Outage> all;
    for (const auto& [host, client] : clientsOf(store))
        for (const auto& [source, series] : client.servers) {
            const std::size_t before = all.size();
            addOutages(client, series, all);
            for (std::size_t i = before; i < all.size(); ++i) {
                all[i].host = nameOfHost(hosts, host);
                all[i].server = store.nameText(source);
            }
        }
    std::sort(all.begin(), all.end(), [](const Outage& left, const Outage& right) { return left.when.begin < right.when.begin; });
    return all;
}

}  // namespace flowgauge::facts
