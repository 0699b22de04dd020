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

}  // namespace

std::vector<Partner> partnersOf(const std::vector<facts::RankFacts>& ranks, std::size_t rankAt, const store::StoredEvent& event)
{
    std::vector<Partner> partners;
    if (rankAt >= ranks.size() || !isCollective(event.kind)) return partners;
    const facts::CollectiveCall* own = callOf(ranks[rankAt], event);
    if (own == nullptr) return partners;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const facts::CollectiveCall& call : ranks[rank].collectives)
            if (call.comm == own->comm && call.sequence == own->sequence && call.kind == own->kind) {
                partners.push_back({rank, call.when, false});
                break;
            }
    const auto last =
        std::max_element(partners.begin(), partners.end(), [](const Partner& a, const Partner& b) { return a.when.begin < b.when.begin; });
    if (partners.size() > 1) last->last = true;
    return partners;
}

}  // namespace flowgauge::timeline
