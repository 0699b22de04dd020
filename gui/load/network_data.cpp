// SPDX-License-Identifier: MIT
#include "gui/load/network_data.h"

#include "analyzer/facts/collective_math.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace flowgauge::load {

namespace {

using facts::PlacedSeries;

std::set<store::Id> hostsThatTrain(store::RunStore& store)
{
    std::set<store::Id> hosts;
    for (const store::ProcessRow& process : store.processes()) hosts.insert(process.host);
    return hosts;
}

Interval sliceOf(Interval when, std::size_t slices, std::size_t i)
{
    const auto border = [&](std::size_t k) {
        return when.begin + static_cast<Nanos>(static_cast<double>(when.length()) * static_cast<double>(k) / static_cast<double>(slices));
    };
    return {border(i), border(i + 1)};
}

std::vector<double> ratesOf(const facts::CounterSeries& series, Interval when, std::size_t slices)
{
    std::vector<double> rates(slices);
    for (std::size_t i = 0; i < slices; ++i) {
        const Interval slice = sliceOf(when, slices, i);
        if (!slice.empty()) rates[i] = std::max(0.0, series.growth(slice)) * 1e9 / static_cast<double>(slice.length());
    }
    return rates;
}

constexpr bool isReceived(Counter counter)
{
    return counter == Counter::NicRxBytes || counter == Counter::IbRxBytes || counter == Counter::IbRxFlits ||
           counter == Counter::IbRxHwBytes;
}
constexpr bool isInterface(Counter counter) { return counter == Counter::NicRxBytes || counter == Counter::NicTxBytes; }

std::vector<PlacedSeries> portSeries(store::RunStore& store)
{
    std::vector<PlacedSeries> all =
        facts::readCounters(store, {Counter::IbRxBytes, Counter::IbRxFlits, Counter::IbRxHwBytes, Counter::NicRxBytes, Counter::IbTxBytes,
                                    Counter::IbTxFlits, Counter::IbTxHwBytes, Counter::NicTxBytes});
    std::set<store::Id> served;
    for (const PlacedSeries& placed : all)
        if (!isInterface(*placed.place.counter) && placed.series.grown() > 0) served.insert(placed.place.host);
    std::erase_if(all, [&](const PlacedSeries& placed) {
        const bool twice = isInterface(*placed.place.counter) && served.contains(placed.place.host);
        return twice || placed.series.grown() <= 0 || store.nameText(placed.place.source) == "lo";
    });
    return all;
}

void addTo(std::vector<double>& sum, const std::vector<double>& values)
{
    sum.resize(std::max(sum.size(), values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

/// A port that was sampled tells its data rate in 10^6 bit/s.
void putRates(store::RunStore& store, const std::map<store::Id, std::string>& names, std::vector<PortFlow>& ports)
{
    constexpr double bytesPerMegabit = 1e6 / 8;
    for (const PlacedSeries& placed : facts::readCounters(store, {Counter::IbDataRate}))
        for (PortFlow& port : ports)
            if (port.host == names.at(placed.place.host) && port.port == store.nameText(placed.place.source))
                port.rate = placed.series.last() * bytesPerMegabit;
}

std::vector<PortFlow> portsOf(store::RunStore& store, Interval when, std::size_t slices)
{
    const std::set<store::Id> training = hostsThatTrain(store);
    std::map<store::Id, std::string> names;
    for (const store::HostRow& host : store.hosts()) names[host.id] = host.name;
    std::map<std::pair<std::string, std::string>, PortFlow> ports;
    for (const PlacedSeries& placed : portSeries(store)) {
        const std::pair key(names[placed.place.host], store.nameText(placed.place.source));
        PortFlow& port = ports[key];
        std::tie(port.host, port.port) = key;
        port.trains = training.contains(placed.place.host);
        const bool received = isReceived(*placed.place.counter);
        addTo(received ? port.received : port.sent, ratesOf(placed.series, when, slices));
        (received ? port.receivedBytes : port.sentBytes) += placed.series.growth(when);
    }
    std::vector<PortFlow> result;
    for (auto& [key, port] : ports) {
        for (const double rate : port.received) port.receivedPeak = std::max(port.receivedPeak, rate);
        for (const double rate : port.sent) port.sentPeak = std::max(port.sentPeak, rate);
        result.push_back(std::move(port));
    }
    putRates(store, names, result);
    return result;
}

/// Adds an amount that moved evenly over `during` to the slices' rates.
void spread(Interval during, double amount, Interval when, std::vector<double>& rates)
{
    const double width = static_cast<double>(when.length()) / static_cast<double>(rates.size());
    const double from = static_cast<double>(during.begin - when.begin) / width;
    const double to = std::max(static_cast<double>(during.end - when.begin) / width, from + 1e-9);
    for (double at = std::max(from, 0.0); at < std::min(to, static_cast<double>(rates.size()));) {
        const double next = std::min(std::floor(at) + 1, to);
        rates[static_cast<std::size_t>(at)] += amount * (next - at) / (to - from) / (width / 1e9);
        at = next > at ? next : at + 1;
    }
}

/// What one host's ports have to move of a collective: a ring leaves every host once, whatever its ranks' number.
void addExpected(const facts::RunFacts& run, const facts::Meeting& meeting, Interval when,
                 std::map<std::string, std::vector<double>>& hosts)
{
    std::map<std::string, Interval> during;
    std::int64_t ranks = 0;
    double bytes = 0;
    Kind kind = Kind::None;
    for (std::size_t i = 0; i < meeting.calls.size(); ++i) {
        if (meeting.calls[i] == nullptr) continue;
        ++ranks;
        kind = meeting.calls[i]->kind;
        bytes = std::max(bytes, static_cast<double>(meeting.calls[i]->bytes));
        const Nanos begin = std::max(meeting.calls[i]->when.begin, meeting.lastArrivalFor(i));
        during[run.ranks[i].host] = {begin, std::max(begin, meeting.calls[i]->when.end)};
    }
    if (during.size() < 2) return;
    const double moved = facts::arrayBytes(kind, bytes, ranks) * facts::busFactor(kind, ranks);
    for (const auto& [host, interval] : during) spread(interval, moved, when, hosts[host]);
}

std::map<std::string, std::vector<double>> expectedOf(const facts::RunFacts& run, Interval when, std::size_t slices)
{
    std::map<std::string, std::vector<double>> hosts;
    for (const facts::RankFacts& rank : run.ranks) hosts[rank.host].resize(slices);
    if (hosts.size() < 2) return {};
    for (const facts::Meeting& meeting : facts::meetingsOf(run.ranks, run.clocks)) addExpected(run, meeting, when, hosts);
    return hosts;
}

std::map<std::string, std::vector<double>> storageOf(store::RunStore& store, Interval when, std::size_t slices)
{
    std::map<store::Id, std::string> names;
    for (const store::HostRow& host : store.hosts()) names[host.id] = host.name;
    std::vector<PlacedSeries> wire = facts::readCounters(store, {Counter::NfsReadReceived});
    if (wire.empty()) wire = facts::readCounters(store, {Counter::NfsFetchedBytes});
    std::map<std::string, std::vector<double>> hosts;
    for (const PlacedSeries& placed : wire) addTo(hosts[names[placed.place.host]], ratesOf(placed.series, when, slices));
    return hosts;
}

/// Takes from `left` what is wanted, and no more than there is.
double take(double& left, double wanted)
{
    const double taken = std::clamp(wanted, 0.0, left);
    left -= taken;
    return taken;
}

HostFlow hostFlow(const std::string& host, const std::vector<PortFlow>& ports, const std::vector<double>& expected,
                  const std::vector<double>& storage, std::size_t slices)
{
    HostFlow flow;
    flow.host = host;
    flow.expected = expected;
    flow.known = !expected.empty() || !storage.empty();
    bool allRates = true;
    std::vector<double> received(slices);
    std::vector<double> sent(slices);
    for (const PortFlow& port : ports) {
        if (port.host != host) continue;
        addTo(received, port.received);
        addTo(sent, port.sent);
        flow.rate += port.rate;
        allRates = allRates && port.rate > 0;
    }
    if (!allRates) flow.rate = 0;
    received.resize(slices);
    sent.resize(slices);
    for (std::size_t i = 0; i < slices; ++i) {
        const double gradients = expected.empty() ? 0 : expected[i];
        flow.storage.push_back(take(received[i], storage.empty() ? 0 : storage[i]));
        flow.gradients.push_back(take(received[i], gradients));
        flow.other.push_back(received[i]);
        flow.sentGradients.push_back(take(sent[i], gradients));
        flow.sentOther.push_back(sent[i]);
    }
    return flow;
}

}  // namespace

NetworkFlow networkFlow(store::RunStore& store, const facts::RunFacts* facts, Interval when, std::size_t slices)
{
    NetworkFlow flow{when, slices, portsOf(store, when, slices), {}};
    if (facts == nullptr || flow.ports.empty() || when.empty()) return flow;
    const auto expected = expectedOf(*facts, when, slices);
    const auto storage = storageOf(store, when, slices);
    std::set<std::string> hosts;
    for (const PortFlow& port : flow.ports)
        if (port.trains) hosts.insert(port.host);
    const std::vector<double> none;
    const auto of = [&](const auto& map, const std::string& host) -> const std::vector<double>& {
        const auto found = map.find(host);
        return found == map.end() ? none : found->second;
    };
    for (const std::string& host : hosts) flow.hosts.push_back(hostFlow(host, flow.ports, of(expected, host), of(storage, host), slices));
    return flow;
}

std::vector<facts::CollectiveFigures> collectives(const facts::RunFacts& facts, Interval when)
{
    return facts::collectiveFigures(facts::meetingsOf(facts.ranks, facts.clocks), when);
}

RankMatrix rankMatrix(store::RunStore& store, const RunSnapshot& run, Interval when, const Cancel& cancel)
{
    RankMatrix matrix;
    if (!run.analysis) return matrix;
    const facts::RunFacts& facts = run.analysis->facts;
    matrix.ranks = facts.rankNumbers();
    const std::size_t count = matrix.ranks.size();
    matrix.waited.resize(count * count);
    for (const facts::Meeting& meeting : facts::meetingsOf(facts.ranks, facts.clocks)) {
        if (!facts::beginsIn(meeting, when)) continue;
        for (std::size_t i = 0; i < meeting.calls.size(); ++i)
            if (meeting.calls[i] != nullptr && i != meeting.lastRank)
                matrix.waited[i * count + meeting.lastRank] +=
                    static_cast<double>(std::clamp(meeting.lastArrivalFor(i), meeting.calls[i]->when.begin, meeting.calls[i]->when.end) -
                                        meeting.calls[i]->when.begin);
    }
    std::map<int, std::size_t> positions;
    for (std::size_t i = 0; i < count; ++i) positions[matrix.ranks[i]] = i;
    store.scan({{Kind::Send, Kind::RmaPut}, {}, when}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const TrackInfo* info = run.track(track.id);
        if (info == nullptr || !info->rank || !positions.contains(*info->rank)) return !*cancel;
        for (const store::StoredEvent& event : events) {
            const auto peer = positions.find(static_cast<int>(event.arg[2]));
            if (peer == positions.end()) continue;
            matrix.sent.resize(count * count);
            matrix.sent[positions[*info->rank] * count + peer->second] += static_cast<double>(event.arg[1]);
        }
        return !*cancel;
    });
    return matrix;
}

}  // namespace flowgauge::load
