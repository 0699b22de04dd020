// SPDX-License-Identifier: MIT
#include "analyzer/facts/communication_facts.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

using LinkOfProcess = std::pair<store::Id, std::uint64_t>;

/// What NCCL told of a rank's collectives beside them. Those of which it told how they are carried out were recorded as it took them;
/// what a trace of kernels holds are the kernels themselves.
class Told {
public:
    void add(store::RunStore& store, store::Id process, const store::StoredEvent& event)
    {
        const LinkOfProcess link{process, event.link};
        if (event.kind == Kind::CommDetail) m_manners[link] = mannerOf(store, event);
        if (event.kind != Kind::CommWire) return;
        CountedWire& wire = m_wires[link];
        (event.arg[2] == 0 ? wire.sent : wire.received) += static_cast<double>(event.arg[0]);
    }
    void call(std::size_t position, LinkOfProcess link) { m_calls.emplace_back(position, link); }
    void put(std::vector<CollectiveCall>& collectives) const
    {
        for (const auto& [position, link] : m_calls) {
            CollectiveCall& call = collectives[position];
            const auto manner = m_manners.find(link);
            call.enqueued = manner != m_manners.end();
            if (call.enqueued) call.manner = manner->second;
            if (const auto wire = m_wires.find(link); wire != m_wires.end()) call.wire = wire->second;
        }
    }

private:
    CommManner mannerOf(store::RunStore& store, const store::StoredEvent& event)
    {
        const auto [known, isNew] = m_algorithms.try_emplace(event.arg[0]);
        if (isNew) known->second = algorithmNamed(store.nameText(event.arg[0]));
        CommManner manner{known->second, {}, event.arg[2]};
        if (event.arg[1] >= 0 && event.arg[1] <= static_cast<std::int64_t>(CommProtocol::Simple))
            manner.protocol = static_cast<CommProtocol>(event.arg[1]);
        return manner;
    }

    std::map<LinkOfProcess, CommManner> m_manners;
    std::map<LinkOfProcess, CountedWire> m_wires;
    std::map<store::Id, std::optional<CommAlgorithm>> m_algorithms;
    std::vector<std::pair<std::size_t, LinkOfProcess>> m_calls;  ///< position in RankFacts::collectives
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
    std::vector<Told> told(ranks.size());
    store.scan(layout.query(kindsOf(Lane::Comm)), [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const auto rank = layout.rankOf(track);
        if (!rank) return true;
        TrackBusy& busy = perTrack[*rank][track.id];
        for (const store::StoredEvent& event : events) {
            const Interval when = layout.clipped(event);
            widen(ranks[*rank].extent, when);
            if (event.kind == Kind::Communicator) ranks[*rank].rankIn[static_cast<std::uint64_t>(event.arg[0])] = event.arg[1];
            told[*rank].add(store, track.key.process, event);
            if (!transfersData(event.kind)) continue;
            const bool nccl = (event.flags & flagNccl) != 0;
            (nccl ? busy.nccl : busy.calls).append(when);
            if (nccl && event.link != 0) host[*rank].ncclLinks.insert({track.key.process, event.link});
            if (nccl && isCollective(event.kind)) told[*rank].call(ranks[*rank].collectives.size(), {track.key.process, event.link});
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
        told[i].put(rank.collectives);
        std::sort(rank.collectives.begin(), rank.collectives.end(),
                  [](const CollectiveCall& left, const CollectiveCall& right) { return left.when.begin < right.when.begin; });
    }
    return host;
}

}  // namespace flowgauge::facts
