// SPDX-License-Identifier: MIT
#include "workloads/simulate/job_counters.h"

#include "workloads/simulate/cache_model.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::simulate {
namespace {

using store::TrackKey;

constexpr double noLimit = 1e300;
constexpr double kib = 1024;
constexpr double jiffiesPerSecond = 100;
/// Programs and their libraries before the first byte of data.
constexpr double startPageCache = 2e9;

TrackKey placeOf(store::Id host, store::Id source, store::Id process = 0)
{
    TrackKey key;
    key.host = host;
    key.process = process;
    key.source = source;
    key.lane = Lane::Counter;
    return key;
}

}  // namespace

JobCounters::JobCounters(const Parameters& parameters, store::RunStore& store)
    : m_parameters(parameters),
      m_store(store),
      m_beat(std::llround(1e9 / parameters.recording.countersPerSecond)),
      m_buckets(bucketsOf(parameters)),
      m_disks(Counter::DiskReadBytes, m_beat)
{
}

void JobCounters::addNode(store::Id host)
{
    m_nodes.push_back({host,
                       {Counter::IbRxBytes, m_beat},
                       {Counter::IbTxBytes, m_beat},
                       {Counter::NfsAskedBytes, m_beat},
                       {Counter::NfsFetchedBytes, m_beat},
                       {Counter::PageCache, m_beat},
                       {Counter::CpuUser, m_beat},
                       {Counter::CpuIdle, m_beat},
                       {Counter::IbSymbolErrors, m_beat},
                       {Counter::IbTxWait, m_beat}});
}

void JobCounters::addRank(std::size_t node, store::Id process)
{
    m_ranks.push_back({node, process, {Counter::ProcessReadBytes, m_beat}, {Counter::ProcessCpuUser, m_beat}});
}

void JobCounters::beginEpoch(int epoch) { m_diskShare = CacheModel(m_parameters).diskShare(epoch); }

void JobCounters::count(std::span<const RankStep> ranks)
{
    countTraffic(ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i) countReads(ranks[i], m_ranks[i]);
}

/// All nodes send and receive the same; a bucket's bytes flow from the last arrival to the common end.
void JobCounters::countTraffic(std::span<const RankStep> ranks)
{
    for (std::size_t b = 0; b < m_buckets.size(); ++b) {
        if (m_buckets[b].nodeBytes <= 0) continue;
        const Nanos end = ranks.front().calls[b].end;
        for (Node& node : m_nodes) {
            node.received.add({end - m_buckets[b].transfer, end}, m_buckets[b].nodeBytes);
            node.sent.add({end - m_buckets[b].transfer, end}, m_buckets[b].nodeBytes);
        }
    }
    const double errors = m_parameters.linkErrorsPerS;
    if (errors <= 0) return;
    const Interval when{ranks.front().begin, ranks.front().end};
    for (Node& node : m_nodes) {
        node.symbolErrors.add(when, errors * static_cast<double>(when.length()) / 1e9);
        node.waited.add(when, static_cast<double>(when.length()) / 20);  // a tick is some ns; the port waits for credits often
    }
}

void JobCounters::countReads(const RankStep& step, Rank& rank)
{
    Node& node = m_nodes[rank.node];
    const Interval reading{step.load.begin, step.load.begin + step.reads};
    const auto asked = static_cast<double>(step.asked);
    const auto fetched = static_cast<double>(step.fetched);
    node.asked.add(reading, asked);
    node.fetched.add(reading, fetched);
    node.received.add(reading, fetched);
    node.cached.add(reading, fetched);
    m_disks.add(reading, fetched * m_diskShare);
    rank.storageReads.add(reading, fetched);
    const double loaderAndTrainer = 1.3;  // processors that a rank keeps busy
    const double jiffies = static_cast<double>(step.end - step.begin) / 1e9 * jiffiesPerSecond;
    rank.processor.add({step.begin, step.end}, static_cast<double>(step.end - step.begin) / 1e3 * loaderAndTrainer);
    node.busy.add({step.begin, step.end}, jiffies * loaderAndTrainer);
    node.idle.add({step.begin, step.end},
                  jiffies * std::max(0.0, static_cast<double>(m_parameters.cluster.processors) / m_parameters.cluster.gpusPerNode -
                                              loaderAndTrainer));
}

void JobCounters::write(const CounterLine& line, TrackKey place, Nanos end) const
{
    place.counter = line.counter();
    line.write(m_store, place, end, 0, noLimit);
}

void JobCounters::writeNode(const Node& node, Nanos end) const
{
    const store::Id port = m_store.name("mlx5_0/1");
    const store::Id mount = m_store.name(m_parameters.storage.mount);
    const TrackKey machine = placeOf(node.host, m_store.name("host"));
    for (const CounterLine* line : {&node.received, &node.sent}) write(*line, placeOf(node.host, port), end);
    for (const CounterLine* line : {&node.asked, &node.fetched}) write(*line, placeOf(node.host, mount), end);
    for (const CounterLine* line : {&node.busy, &node.idle}) write(*line, machine, end);
    const double memory = m_parameters.cluster.memoryGb * 1e9;
    TrackKey place = machine;
    place.counter = node.cached.counter();
    node.cached.write(m_store, place, end, startPageCache, std::max(startPageCache, std::floor(memory * 0.9 / kib) * kib));
    place.counter = Counter::MemoryTotal;
    CounterLine(Counter::MemoryTotal, m_beat).write(m_store, place, end, memory, noLimit);
    if (m_parameters.linkErrorsPerS <= 0) return;
    for (const CounterLine* line : {&node.symbolErrors, &node.waited}) write(*line, placeOf(node.host, port), end);
}

void JobCounters::write(Nanos end) const
{
    for (const Node& node : m_nodes) writeNode(node, end);
    write(m_disks, placeOf(m_storageHost, m_store.name("disks")), end);
    for (const Rank& rank : m_ranks) {
        if (rank.process == 0) continue;
        const TrackKey place = placeOf(m_nodes[rank.node].host, m_store.name("process"), rank.process);
        for (const CounterLine* line : {&rank.storageReads, &rank.processor}) write(*line, place, end);
    }
}

}  // namespace flowgauge::simulate
