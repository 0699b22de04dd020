// SPDX-License-Identifier: MIT
#include "analyzer/facts/clocks.h"
#include "analyzer/facts/collective_math.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

namespace flowgauge::facts {
namespace {

constexpr Nanos unbounded = ClockOffset::unknown;

/// What one host's ranks did in one collective: the latest to come and the earliest to leave, and those of its root.
struct HostPart {
    Nanos lastBegin = -unbounded, firstEnd = unbounded, rootBegin = -unbounded, rootEnd = unbounded;
};

using Key = std::tuple<std::uint64_t, std::uint64_t, Kind>;
using Parts = std::map<std::size_t, HostPart>;  ///< by host

bool fromRoot(Kind kind) { return kind == Kind::Broadcast || kind == Kind::Scatter; }
bool toRoot(Kind kind) { return kind == Kind::Reduce || kind == Kind::Gather; }

void take(const CollectiveCall& call, bool isRoot, HostPart& part)
{
    part.lastBegin = std::max(part.lastBegin, call.when.begin);
    part.firstEnd = std::min(part.firstEnd, call.when.end);
    if (!isRoot) return;
    part.rootBegin = call.when.begin;
    part.rootEnd = call.when.end;
}

/// Whoever comes on `first` comes before anybody leaves on `second`: first's time + its offset <= second's + its offset.
Nanos mostAhead(Kind kind, const HostPart& first, const HostPart& second)
{
    const Nanos begin = joinsAll(kind) || toRoot(kind) ? first.lastBegin : fromRoot(kind) ? first.rootBegin : -unbounded;
    const Nanos end = joinsAll(kind) || fromRoot(kind) ? second.firstEnd : toRoot(kind) ? second.rootEnd : unbounded;
    return begin <= -unbounded || end >= unbounded ? unbounded : end - begin;
}

using Collectives = std::map<Key, Parts>;

/// What each collective says of the second host's offset against the first's. Nothing of collectives that one of them is not part of.
std::vector<ClockBound> boundsBetween(const Collectives& collectives, std::size_t first, std::size_t second)
{
    std::vector<ClockBound> bounds;
    for (const auto& [key, parts] : collectives) {
        const auto one = parts.find(first);
        const auto other = parts.find(second);
        if (one == parts.end() || other == parts.end()) continue;
        const Nanos upper = mostAhead(std::get<Kind>(key), other->second, one->second);
        const Nanos lower = mostAhead(std::get<Kind>(key), one->second, other->second);
        if (upper >= unbounded && lower >= unbounded) continue;
        bounds.push_back({other->second.lastBegin, lower >= unbounded ? -unbounded : -lower, upper});
    }
    return bounds;
}

/// By pair of hosts, the first one first.
using PairBounds = std::map<std::pair<std::size_t, std::size_t>, std::vector<ClockBound>>;

/// A question arrives after it was sent, an answer too: by the answering host's clock the asking one's is off by what lies between.
void addExchange(const ClockExchange& exchange, const std::vector<std::string>& hosts, PairBounds& pairs)
{
    const auto positionOf = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(hosts.begin(), hosts.end(), name) - hosts.begin());
    };
    const std::size_t asking = positionOf(exchange.asking);
    const std::size_t answering = positionOf(exchange.answering);
    if (asking == answering || asking == hosts.size() || answering == hosts.size()) return;
    const ClockBound bound{exchange.asked.begin, exchange.answered.end - exchange.asked.end,
                           exchange.answered.begin - exchange.asked.begin};
    auto& bounds = pairs[std::minmax(asking, answering)];
    if (answering < asking)
        bounds.push_back(bound);
    else
        bounds.push_back({exchange.answered.begin, -bound.upper, -bound.lower});
}

std::vector<ClockBound> turned(std::vector<ClockBound> bounds)
{
    for (ClockBound& bound : bounds) {
        const Nanos lower = bound.lower;
        if (lower > -unbounded) bound.at += lower;  // from the second host's time to the first's, as well as it is known
        bound.lower = -bound.upper;
        bound.upper = -lower;
    }
    return bounds;
}

/// Against the first host, when they are known against another whose own clock is known.
std::vector<ClockBound> through(const HostClock& other, std::vector<ClockBound> bounds)
{
    for (ClockBound& bound : bounds) {
        const ClockOffset offset = other.at(bound.at);
        if (!offset.known()) {
            bound = {bound.at, -unbounded, unbounded};
            continue;
        }
        if (bound.lower > -unbounded) bound.lower += offset.value - offset.error;
        if (bound.upper < unbounded) bound.upper += offset.value + offset.error;
    }
    return bounds;
}

}  // namespace

Clocks::Clocks(const std::vector<RankFacts>& ranks, const ClockRates& rates, const std::vector<ClockExchange>& exchanges)
{
    for (const RankFacts& rank : ranks) {
        const auto found = std::find(m_hosts.begin(), m_hosts.end(), rank.host);
        m_hostOfRank.push_back(static_cast<std::size_t>(found - m_hosts.begin()));
        if (found == m_hosts.end()) m_hosts.push_back(rank.host);
    }
    if (!several()) return;
    Collectives collectives;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (const CollectiveCall& call : ranks[i].collectives) {
            const auto own = ranks[i].rankIn.find(call.comm);
            const bool isRoot = call.root >= 0 && own != ranks[i].rankIn.end() && own->second == call.root;
            take(call, isRoot, collectives[{call.comm, call.sequence, call.kind}][m_hostOfRank[i]]);
        }
    PairBounds asked;
    for (const ClockExchange& exchange : exchanges) addExchange(exchange, m_hosts, asked);
    m_clocks.assign(m_hosts.size(), HostClock({}, rates));
    m_clocks[0] = HostClock();
    std::vector<bool> known(m_hosts.size());
    known[0] = true;
    std::queue<std::size_t> next({0});
    // Pair by pair, and only pairs that are needed: of a thousand hosts there are half a million, and the first one mostly has met them
    // all.
    for (; !next.empty(); next.pop())
        for (std::size_t host = 0; host < m_hosts.size(); ++host) {
            const std::size_t from = next.front();
            if (known[host]) continue;
            const auto pair = std::minmax(from, host);
            std::vector<ClockBound> bounds = boundsBetween(collectives, pair.first, pair.second);
            if (const auto exchanged = asked.find(pair); exchanged != asked.end())
                bounds.insert(bounds.end(), exchanged->second.begin(), exchanged->second.end());
            if (bounds.empty()) continue;
            m_clocks[host] = HostClock(through(m_clocks[from], from < host ? std::move(bounds) : turned(std::move(bounds))), rates);
            known[host] = true;
            next.push(host);
        }
}

}  // namespace flowgauge::facts
