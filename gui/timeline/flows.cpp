// SPDX-License-Identifier: MIT
#include "gui/timeline/flows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace flowgauge::timeline {

namespace {

using Calls = std::vector<facts::CollectiveCall>;

Calls::const_iterator firstFrom(const Calls& calls, Nanos time)
{
    return std::lower_bound(calls.begin(), calls.end(), time,
                            [](const facts::CollectiveCall& call, Nanos at) { return call.when.begin < at; });
}

std::optional<std::size_t> callOf(const Calls& calls, const store::StoredEvent& event)
{
    for (auto at = firstFrom(calls, event.begin); at != calls.end() && at->when.begin == event.begin; ++at)
        if (at->kind == event.kind) return static_cast<std::size_t>(at - calls.begin());
    return std::nullopt;
}

/// Outwards from a time on both sides: ranks make their calls of one collective at about the same time, among millions.
std::optional<std::size_t> nearest(const Calls& calls, const facts::CollectiveKey& key, Nanos near)
{
    auto after = firstFrom(calls, near);
    auto before = after;
    while (before != calls.begin() || after != calls.end()) {
        if (after != calls.end()) {
            if (facts::keyOf(*after) == key) return static_cast<std::size_t>(after - calls.begin());
            ++after;
        }
        if (before != calls.begin() && facts::keyOf(*--before) == key) return static_cast<std::size_t>(before - calls.begin());
    }
    return std::nullopt;
}

/// By the clock that the asking rank's host has at that moment.
Partner placed(const facts::Clocks& clocks, std::size_t asking, Nanos at, Partner partner)
{
    const std::size_t here = clocks.hostOf(asking);
    const std::size_t there = clocks.hostOf(partner.rankAt);
    partner.came = partner.when.begin;
    if (here == there) return partner;
    const facts::ClockOffset own = clocks.at(here, at);
    const facts::ClockOffset other = clocks.at(there, partner.when.begin);
    partner.came += other.value - own.value;
    partner.doubt = std::min(own.error + other.error, facts::ClockOffset::unknown);
    return partner;
}

bool cameBefore(const Partner& one, const Partner& other) { return one.came < other.came; }

/// Goes from collective to collective, breadth first.
class Search {
public:
    Search(const facts::RunFacts& run, std::size_t asking) : m_run(run), m_asking(asking) {}

    /// found: how the collective of that rank's call was come to, without its partners yet.
    void add(std::size_t rankAt, std::size_t call, Flow found)
    {
        const facts::CollectiveCall& own = m_run.ranks[rankAt].collectives[call];
        if (m_flows.size() == mostFlows || !m_seen.insert(facts::keyOf(own)).second) return;
        found.partners = partnersOf(own);
        m_flows.push_back(std::move(found));
    }
    /// All collectives next to those of the last hop.
    void hop()
    {
        const std::size_t end = m_flows.size();
        for (std::size_t at = std::exchange(m_spread, end); at < end; ++at)
            for (std::size_t i = 0; i < m_flows[at].partners.size(); ++i) spread(at, m_flows[at].partners[i]);
    }
    [[nodiscard]] std::vector<Flow> flows() { return std::move(m_flows); }

private:
    void spread(std::size_t from, Partner partner)  // by value: adding moves the flows
    {
        const Flow next{{}, m_flows[from].hop + 1, from, partner.rankAt};
        if (partner.call > 0) add(partner.rankAt, partner.call - 1, next);
        if (partner.call + 1 < m_run.ranks[partner.rankAt].collectives.size()) add(partner.rankAt, partner.call + 1, next);
    }
    std::vector<Partner> partnersOf(const facts::CollectiveCall& own)
    {
        std::vector<Partner> partners;
        for (const std::size_t rank : members(own.comm)) {
            const Calls& calls = m_run.ranks[rank].collectives;
            if (const auto call = nearest(calls, facts::keyOf(own), own.when.begin))
                partners.push_back(placed(m_run.clocks, m_asking, own.when.begin, {rank, calls[*call].when, *call}));
        }
        if (partners.size() > 1) std::max_element(partners.begin(), partners.end(), cameBefore)->last = true;
        return partners;
    }
    /// Those that ever used a communicator: the calls of the others, which may be millions, are looked through once only.
    const std::vector<std::size_t>& members(std::uint64_t comm)
    {
        const auto [known, fresh] = m_members.try_emplace(comm);
        for (std::size_t rank = 0; fresh && rank < m_run.ranks.size(); ++rank) {
            const Calls& calls = m_run.ranks[rank].collectives;
            if (std::any_of(calls.begin(), calls.end(), [&](const auto& call) { return call.comm == comm; })) known->second.push_back(rank);
        }
        return known->second;
    }

    const facts::RunFacts& m_run;
    std::size_t m_asking;
    std::vector<Flow> m_flows;
    std::size_t m_spread = 0;  ///< the first flow whose neighbours were not looked for
    std::set<facts::CollectiveKey> m_seen;
    std::map<std::uint64_t, std::vector<std::size_t>> m_members;  ///< by communicator
};

}  // namespace

std::vector<Flow> flowsOf(const facts::RunFacts& run, std::size_t rankAt, const store::StoredEvent& event, int hops)
{
    if (rankAt >= run.ranks.size() || !isCollective(event.kind)) return {};
    const auto call = callOf(run.ranks[rankAt].collectives, event);
    if (!call) return {};
    Search search(run, rankAt);
    search.add(rankAt, *call, {});
    for (int hop = 1; hop < std::min(hops, mostHops); ++hop) search.hop();
    return search.flows();
}

Arrivals arrivalsOf(const std::vector<Partner>& partners)
{
    const auto [first, last] = std::minmax_element(partners.begin(), partners.end(), cameBefore);
    return {*first, *last, last->came - first->came, first->doubt + last->doubt};
}

}  // namespace flowgauge::timeline
