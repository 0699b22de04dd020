// SPDX-License-Identifier: MIT
#include "analyzer/facts/communication_facts.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

using LinkOfProcess = std::pair<store::Id, std::uint64_t>;

/// Which of a rank's collectives were recorded as NCCL took them: those of which it also told how they are carried out. What a trace of
/// kernels holds are the kernels themselves.
struct Enqueued {
    std::set<LinkOfProcess> told;
    std::vector<std::pair<std::size_t, LinkOfProcess>> calls;  ///< position in RankFacts::collectives

    void mark(std::vector<CollectiveCall>& collectives) const
    {
        for (const auto& [position, link] : calls) collectives[position].enqueued = told.contains(link);
    }
};

/// A track's calls, each kind in order of begin.
struct TrackBusy {
    IntervalSet calls, nccl;
};

bool transfersData(Kind kind)
{
    return isCollective(kind) || kind == Kind::Send || kind == Kind::Recv || kind == Kind::RmaPut || kind == Kind::RmaGet;
}

void take(const store::StoredEvent& event, Interval when, RankFacts& rank)
{
    rank.commBytes += event.arg[1];
    if (!isCollective(event.kind)) return;
    rank.collectives.push_back({static_cast<std::uint64_t>(event.arg[0]), static_cast<std::uint64_t>(event.arg[2]), when,
                                static_cast<std::uint64_t>(event.arg[1]), event.kind, event.arg[3]});
}

}  // namespace

std::vector<HostCommunication> readCommunication(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks)
{
    std::vector<std::map<store::Id, TrackBusy>> perTrack(ranks.size());
    std::vector<HostCommunication> host(ranks.size());
    std::vector<Enqueued> enqueued(ranks.size());
    store.scan(layout.query(kindsOf(Lane::Comm)), [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const auto rank = layout.rankOf(track);
        if (!rank) return true;
        TrackBusy& busy = perTrack[*rank][track.id];
        for (const store::StoredEvent& event : events) {
            const Interval when = layout.clipped(event);
            widen(ranks[*rank].extent, when);
            if (event.kind == Kind::Communicator) ranks[*rank].rankIn[static_cast<std::uint64_t>(event.arg[0])] = event.arg[1];
            if (event.kind == Kind::CommDetail) enqueued[*rank].told.insert({track.key.process, event.link});
            if (!transfersData(event.kind)) continue;
            const bool nccl = (event.flags & flagNccl) != 0;
            (nccl ? busy.nccl : busy.calls).append(when);
            if (nccl && event.link != 0) host[*rank].ncclLinks.insert({track.key.process, event.link});
            if (nccl && isCollective(event.kind))
                enqueued[*rank].calls.push_back({ranks[*rank].collectives.size(), {track.key.process, event.link}});
            take(event, when, ranks[*rank]);
        }
        return true;
    });
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        RankFacts& rank = ranks[i];
        for (const auto& [track, busy] : perTrack[i]) {
            host[i].calls = host[i].calls.united(busy.calls);
            host[i].nccl = host[i].nccl.united(busy.nccl);
        }
        rank.communication = rank.communication.united(host[i].calls).united(host[i].nccl);
        if (!rank.communication.empty()) rank.communicationKnown = true;
        enqueued[i].mark(rank.collectives);
        std::sort(rank.collectives.begin(), rank.collectives.end(),
                  [](const CollectiveCall& left, const CollectiveCall& right) { return left.when.begin < right.when.begin; });
    }
    return host;
}

}  // namespace flowgauge::facts
