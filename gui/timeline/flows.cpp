// SPDX-License-Identifier: MIT
#include "gui/timeline/flows.h"

#include <algorithm>

namespace flowgauge::timeline {

namespace {

const facts::CollectiveCall* callOf(const facts::RankFacts& rank, const store::StoredEvent& event)
{
    const auto& calls = rank.collectives;
    auto at = std::lower_bound(calls.begin(), calls.end(), event.begin,
                               [](const facts::CollectiveCall& call, Nanos time) { return call.when.begin < time; });
    for (; at != calls.end() && at->when.begin == event.begin; ++at)
        if (at->kind == event.kind) return &*at;
    return nullptr;
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

}  // namespace

std::vector<Partner> partnersOf(const facts::RunFacts& run, std::size_t rankAt, const store::StoredEvent& event)
{
    const std::vector<facts::RankFacts>& ranks = run.ranks;
    std::vector<Partner> partners;
    if (rankAt >= ranks.size() || !isCollective(event.kind)) return partners;
    const facts::CollectiveCall* own = callOf(ranks[rankAt], event);
    if (own == nullptr) return partners;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const facts::CollectiveCall& call : ranks[rank].collectives)
            if (call.comm == own->comm && call.sequence == own->sequence && call.kind == own->kind) {
                partners.push_back(placed(run.clocks, rankAt, event.begin, {rank, call.when}));
                break;
            }
    const auto last = std::max_element(partners.begin(), partners.end(), cameBefore);
    if (partners.size() > 1) last->last = true;
    return partners;
}

Arrivals arrivalsOf(const std::vector<Partner>& partners)
{
    const auto [first, last] = std::minmax_element(partners.begin(), partners.end(), cameBefore);
    return {*first, *last, last->came - first->came, first->doubt + last->doubt};
}

}  // namespace flowgauge::timeline
