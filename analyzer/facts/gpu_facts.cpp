// SPDX-License-Identifier: MIT
#include "analyzer/facts/gpu_facts.h"

#include "analyzer/facts/idle_cause.h"
#include "analyzer/facts/kernel_class.h"
#include "analyzer/facts/kernel_spans.h"

#include <algorithm>
#include <set>

namespace flowgauge::facts {
namespace {

using store::StoredEvent;
using store::TrackRow;

/// What one stream did, in order of begin.
struct Stream {
    IntervalSet compute, communication, copy;
};

/// Collects the ranks' streams: tracks come one after the other, each sorted.
class GpuPass {
public:
    GpuPass(store::RunStore& store, const Layout& layout, const std::vector<HostCommunication>& host, std::vector<RankFacts>& ranks)
        : m_store(store), m_layout(layout), m_host(host), m_ranks(ranks), m_streams(ranks.size()), m_kernels(ranks.size())
    {
    }

    void run()
    {
        m_store.scan(m_layout.query({Kind::Kernel, Kind::GpuCopy, Kind::GpuFill}),
                     [&](const TrackRow& track, std::span<const StoredEvent> events) {
                         const auto rank = m_layout.rankOf(track);
                         if (!rank) return true;
                         Stream& stream = m_streams[*rank][track.id];
                         for (const StoredEvent& event : events) take(event, track.key.process, m_ranks[*rank], stream);
                         return true;
                     });
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            if (m_ranks[i].gpu.used) unite(m_ranks[i], m_host[i], m_streams[i]);
            takeKernelSpans(std::move(m_kernels[i]), m_ranks[i].collectives);
        }
    }
    [[nodiscard]] std::vector<std::string> unclear() const { return {m_unclear.begin(), m_unclear.end()}; }

private:
    void take(const StoredEvent& event, store::Id process, RankFacts& rank, Stream& stream)
    {
        const Interval when = m_layout.clipped(event);
        GpuFacts& gpu = rank.gpu;
        gpu.used = true;
        widen(gpu.extent, when);
        if (event.kind == Kind::Kernel) {
            ++gpu.kernels;
            const bool named = isCommunication(event.arg[0]);
            const bool carries = named || carriesCollective(event.link, process, rank, when);
            if (carries) ++gpu.communicationKernels;
            if (named) m_kernels[static_cast<std::size_t>(&rank - m_ranks.data())].push_back({when, m_kinds.at(event.arg[0])});
            (carries ? stream.communication : stream.compute).append(when);
            return;
        }
        stream.copy.append(when);
        if (event.kind != Kind::GpuCopy) return;
        CopySum& sum = gpu.copies[event.arg[3]];
        ++sum.count;
        sum.bytes += event.arg[0];
        sum.time += when.length();
    }

    bool isCommunication(store::Id name)
    {
        const auto [known, isNew] = m_classes.try_emplace(name, KernelClass::Compute);
        if (isNew) {
            const std::string text = m_store.nameText(name);
            known->second = classOf(text);
            m_kinds[name] = kindOfKernel(text);
            if (known->second == KernelClass::Unclear) m_unclear.insert(text);
        }
        return known->second == KernelClass::Communication;
    }

    /// A kernel that a collective names as its own; the call then takes the kernel's time for its own.
    bool carriesCollective(std::uint64_t link, store::Id process, RankFacts& rank, Interval when)
    {
        if (link == 0) return false;
        const auto& calls = m_host[static_cast<std::size_t>(&rank - m_ranks.data())].ncclLinks;
        return calls.contains({process, link}) && !when.empty();
    }

    static void unite(RankFacts& rank, const HostCommunication& host, std::map<store::Id, Stream>& streams)
    {
        IntervalSet kernels;
        rank.compute = {};
        for (const auto& [track, stream] : streams) {
            rank.compute = rank.compute.united(stream.compute);
            kernels = kernels.united(stream.communication);
            rank.copy = rank.copy.united(stream.copy);
        }
        rank.communication = host.calls.united(kernels.empty() ? host.nccl : kernels);
        rank.computeKnown = true;
        rank.communicationKnown =
            rank.communication.empty() ? Measured<bool>::missing("no NCCL kernel and no MPI call recorded") : Measured<bool>(true);
    }

    store::RunStore& m_store;
    const Layout& m_layout;
    const std::vector<HostCommunication>& m_host;
    std::vector<RankFacts>& m_ranks;
    std::vector<std::map<store::Id, Stream>> m_streams;
    std::vector<std::vector<CollectiveKernel>> m_kernels;  ///< of each rank
    std::map<store::Id, KernelClass> m_classes;
    std::map<store::Id, Kind> m_kinds;  ///< as m_classes
    std::set<std::string> m_unclear;
};

/// Ranges and calls are no facts of their own, but they show that the rank was there.
void widenByTracks(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks)
{
    for (const TrackRow& track : store.tracks()) {
        const Lane lane = track.key.lane;
        const auto rank = layout.rankOf(track);
        if (!rank || track.events == 0 || (lane != Lane::Gpu && lane != Lane::Api && lane != Lane::Mark)) continue;
        Interval extent = track.extent;
        if (layout.window) extent = {std::max(extent.begin, layout.window->begin), std::min(extent.end, layout.window->end)};
        if (extent.begin <= extent.end) widen(ranks[*rank].extent, extent);
    }
}

/// How many ranks take part in each communicator, where that was told.
void readGroups(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks)
{
    store::Statement row = store.database().prepare("SELECT process_id, comm, size FROM communicator WHERE size > 0");
    while (row.step())
        if (const auto rank = layout.groupOf.find(row.integer(0)); rank != layout.groupOf.end())
            ranks[rank->second].gpu.groups[static_cast<std::uint64_t>(row.integer(1))] = row.integer(2);
}

}  // namespace

std::vector<std::string> readGpu(store::RunStore& store, const Layout& layout, const std::vector<HostCommunication>& host,
                                 std::vector<RankFacts>& ranks)
{
    widenByTracks(store, layout, ranks);
    readGroups(store, layout, ranks);
    GpuPass pass(store, layout, host, ranks);
    pass.run();
    findIdleCauses(store, layout, ranks);
    return pass.unclear();
}

}  // namespace flowgauge::facts
