// SPDX-License-Identifier: MIT
#include "analyzer/facts/communication_facts.h"

#include <algorithm>
#include <utility>

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
    void call(std::size_t position, LinkOfProcess link, std::int64_t thread) { m_calls.push_back({position, link, thread}); }
    void put(RankFacts& rank) const
    {
        for (const auto& [position, link, thread] : m_calls) {
            CollectiveCall& call = rank.collectives[position];
            const auto manner = m_manners.find(link);
            call.enqueued = manner != m_manners.end();
            if (call.enqueued) call.manner = manner->second;
            if (const auto wire = m_wires.find(link); wire != m_wires.end()) rank.wires[keyOf(call)] = wire->second;
        }
    }

    [[nodiscard]] std::vector<QueuedCall> queued(const RankFacts& rank) const
    {
        std::vector<QueuedCall> calls;
        for (const auto& [position, link, thread] : m_calls)
            if (const CollectiveCall& call = rank.collectives[position]; call.enqueued)
                calls.push_back({link.first, thread, call.when, facts::keyOf(call)});
        return calls;
    }

private:
    struct OfNccl {
        std::size_t position;  ///< in RankFacts::collectives
        LinkOfProcess link;
        std::int64_t thread;
    };
    CommManner mannerOf(store::RunStore& store, const store::StoredEvent& event)
    {
        const auto [known, isNew] = m_algorithms.try_emplace(event.arg[0]);
        if (isNew) known->second = algorithmNamed(store.nameText(event.arg[0]));
        CommManner manner{known->second, {}, static_cast<std::int16_t>(event.arg[2])};
        if (event.arg[1] >= 0 && event.arg[1] <= static_cast<std::int64_t>(CommProtocol::Simple))
            manner.protocol = static_cast<CommProtocol>(event.arg[1]);
        return manner;
    }

    std::map<LinkOfProcess, CommManner> m_manners;
    std::map<LinkOfProcess, CountedWire> m_wires;
    std::map<store::Id, std::optional<CommAlgorithm>> m_algorithms;
    std::vector<OfNccl> m_calls;
};

/// A track's calls, each kind in order of begin.
struct TrackBusy {
    IntervalSet calls, nccl;
};

void unite(const TrackBusy& busy, HostCommunication& host)
{
    host.calls = host.calls.united(busy.calls);
    host.nccl = host.nccl.united(busy.nccl);
}

bool recordsCalls(const std::vector<store::TrackRow>& tracks)
{
    return std::any_of(tracks.begin(), tracks.end(), [](const store::TrackRow& track) { return track.key.lane == Lane::Api; });
}

bool transfersData(Kind kind)
{
    return isCollective(kind) || kind == Kind::Send || kind == Kind::Recv || kind == Kind::RmaPut || kind == Kind::RmaGet;
}

void take(const store::StoredEvent& event, Interval when, RankFacts& rank)
{
    rank.commBytes += event.arg[1];
    if (!isCollective(event.kind)) return;
    rank.collectives.push_back({static_cast<std::uint64_t>(event.arg[0]), static_cast<std::uint64_t>(event.arg[2]), when,
                                static_cast<std::uint64_t>(event.arg[1]), event.kind, static_cast<std::int32_t>(event.arg[3])});
}

}  // namespace

HostCommunication readCommunication(store::RunStore& store, const Layout& layout, std::size_t group, RankFacts& rank)
{
    HostCommunication host;
    Told told;
    TrackBusy busy;
    store::Id busyTrack = 0;
    PieceLimit limit = layout.limit;
    layout.scan(store, group, kindsOf(Lane::Comm), [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        if (track.id != busyTrack) unite(std::exchange(busy, {}), host);
        busyTrack = track.id;
        for (const store::StoredEvent& event : events) {
            const Interval when = layout.clipped(event);
            widen(rank.extent, when);
            if (event.kind == Kind::Communicator) rank.rankIn[static_cast<std::uint64_t>(event.arg[0])] = event.arg[1];
            told.add(store, track.key.process, event);
            if (!transfersData(event.kind)) continue;
            const bool nccl = (event.flags & flagNccl) != 0;
            limit.append(nccl ? busy.nccl : busy.calls, when);
            if (nccl && event.link != 0) host.ncclLinks.insert({track.key.process, event.link});
            if (nccl && isCollective(event.kind)) told.call(rank.collectives.size(), {track.key.process, event.link}, track.key.thread);
            take(event, when, rank);
        }
    });
    unite(busy, host);
    limit.keep(host.calls);
    limit.keep(host.nccl);
    rank.communication = rank.communication.united(host.calls).united(host.nccl);
    rank.communication.giveBack();
    rank.closeness.cell = std::max(rank.closeness.cell, limit.cell());
    if (!rank.communication.empty()) rank.communicationKnown = true;
    told.put(rank);
    if (recordsCalls(layout.tracks[group])) host.queued = told.queued(rank);
    std::sort(rank.collectives.begin(), rank.collectives.end(),
              [](const CollectiveCall& left, const CollectiveCall& right) { return left.when.begin < right.when.begin; });
    rank.collectives.shrink_to_fit();
    return host;
}

}  // namespace flowgauge::facts
