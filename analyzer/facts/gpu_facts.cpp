// SPDX-License-Identifier: MIT
#include "analyzer/facts/gpu_facts.h"

#include "analyzer/facts/idle_cause.h"
#include "analyzer/facts/kernel_class.h"
#include "analyzer/facts/kernel_spans.h"

#include <algorithm>
#include <utility>

namespace flowgauge::facts {
namespace {

using store::StoredEvent;
using store::TrackRow;

}  // namespace

/// Collects one rank's streams: tracks come one after the other, each sorted.
class GpuReader::Pass {
public:
    Pass(GpuReader& reader, const HostCommunication& host, RankFacts& rank)
        : m_reader(reader), m_host(host), m_rank(rank), m_limit(reader.m_layout.limit)
    {
    }

    void run(std::size_t group)
    {
        m_reader.m_layout.scan(m_reader.m_store, group, {Kind::Kernel, Kind::GpuCopy, Kind::GpuFill},
                               [this](const TrackRow& track, std::span<const StoredEvent> events) {
                                   if (track.id != m_track) endStream();
                                   m_track = track.id;
                                   for (const StoredEvent& event : events) take(event, track.key.process);
                               });
        endStream();
        if (m_rank.gpu.used) putSets();
        if (!m_host.queued.empty()) takeLaunchedSpans(m_carriers, launches(group), m_host.queued, m_rank.collectives);
        takeKernelSpans(std::move(m_carriers), m_rank.collectives);
    }

private:
    /// What one stream did, in order of begin.
    struct Stream {
        IntervalSet compute, communication, copy;
    };
    void take(const StoredEvent& event, store::Id process)
    {
        const Interval when = m_reader.m_layout.clipped(event);
        GpuFacts& gpu = m_rank.gpu;
        gpu.used = true;
        widen(gpu.extent, when);
        if (event.kind == Kind::Kernel) {
            ++gpu.kernels;
            const std::optional<Kind> carried = m_reader.carriedBy(event.arg[0]);
            const bool carries = carried || isNamedByCollective(event.link, process, when);
            if (carries) ++gpu.communicationKernels;
            if (carried) m_carriers.push_back({when, *carried, process, event.link, m_track});
            m_limit.append(carries ? m_stream.communication : m_stream.compute, when);
            return;
        }
        m_limit.append(m_stream.copy, when);
        if (event.kind != Kind::GpuCopy) return;
        CopySum& sum = gpu.copies[event.arg[3]];
        ++sum.count;
        sum.bytes += event.arg[0];
        sum.time += when.length();
    }

    /// A kernel that a collective names as its own; the call then takes the kernel's time for its own.
    [[nodiscard]] bool isNamedByCollective(std::uint64_t link, store::Id process, Interval when) const
    {
        return link != 0 && m_host.ncclLinks.contains({process, link}) && !when.empty();
    }

    /// The calls that launched what carries collectives.
    [[nodiscard]] std::vector<Launch> launches(std::size_t group) const
    {
        std::map<std::pair<store::Id, std::uint64_t>, std::size_t> wanted;
        for (std::size_t i = 0; i < m_carriers.size(); ++i)
            if (m_carriers[i].link != 0) wanted.emplace(std::pair(m_carriers[i].process, m_carriers[i].link), i);
        std::vector<Launch> found;
        m_reader.m_layout.scan(m_reader.m_store, group, {Kind::GpuApi}, [&](const TrackRow& track, std::span<const StoredEvent> events) {
            for (const StoredEvent& event : events)
                if (const auto kernel = wanted.find({track.key.process, event.link}); kernel != wanted.end())
                    found.push_back({track.key.process, track.key.thread, event.begin, kernel->second});
        });
        return found;
    }

    void endStream()
    {
        const Stream ended = std::exchange(m_stream, {});
        for (IntervalSet Stream::*set : {&Stream::compute, &Stream::communication, &Stream::copy}) {
            m_all.*set = (m_all.*set).united(ended.*set);
            m_limit.keep(m_all.*set);
        }
    }

    void putSets()
    {
        m_rank.compute = std::move(m_all.compute);
        m_rank.copy = m_rank.copy.united(m_all.copy);
        m_rank.communication = m_host.calls.united(m_all.communication.empty() ? m_host.nccl : m_all.communication);
        for (IntervalSet* set : {&m_rank.compute, &m_rank.copy, &m_rank.communication}) {
            m_limit.keep(*set);
            set->giveBack();
        }
        m_rank.closeness.cell = std::max(m_rank.closeness.cell, m_limit.cell());
        m_rank.computeKnown = true;
        m_rank.communicationKnown =
            m_rank.communication.empty() ? Measured<bool>::missing("no NCCL kernel and no MPI call recorded") : Measured<bool>(true);
    }

    GpuReader& m_reader;
    const HostCommunication& m_host;
    RankFacts& m_rank;
    PieceLimit m_limit;
    store::Id m_track = 0;
    Stream m_stream, m_all;
    std::vector<CollectiveKernel> m_carriers;
};

std::optional<Kind> GpuReader::carriedBy(store::Id name)
{
    const auto [known, isNew] = m_carried.try_emplace(name);
    if (!isNew) return known->second;
    const std::string text = m_store.nameText(name);
    const KernelClass kernel = classOf(text);
    if (kernel == KernelClass::Communication) known->second = kindOfKernel(text);
    if (kernel == KernelClass::Unclear) m_unclear.insert(text);
    return known->second;
}

void GpuReader::read(std::size_t group, const HostCommunication& host, RankFacts& rank)
{
    // Ranges and calls are no facts of their own, but they show that the rank was there.
    m_layout.widenByTracks(group, {Lane::Gpu, Lane::Api, Lane::Mark}, rank.extent);
    Pass(*this, host, rank).run(group);
    findIdleCauses(m_store, m_layout, group, rank);
}

void readGroups(store::RunStore& store, const Layout& layout, std::vector<RankFacts>& ranks)
{
    store::Statement row = store.database().prepare("SELECT process_id, comm, size FROM communicator WHERE size > 0");
    while (row.step())
        if (const auto rank = layout.groupOf.find(row.integer(0)); rank != layout.groupOf.end())
            ranks[rank->second].gpu.groups[static_cast<std::uint64_t>(row.integer(1))] = row.integer(2);
}

}  // namespace flowgauge::facts
