// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"
#include "workloads/simulate/counter_lines.h"
#include "workloads/simulate/job.h"

#include <span>
#include <vector>

namespace flowgauge::simulate {

/// What the samplers of all hosts would read while the job runs: ports, mounts, page caches, processors, the storage's disks.
class JobCounters {
public:
    JobCounters(const Parameters& parameters, store::RunStore& store);

    /// In order of number. process: 0 for a rank that was not recorded.
    void addNode(store::Id host);
    void addStorage(store::Id host) { m_storageHost = host; }
    void addRank(std::size_t node, store::Id process);

    void beginEpoch(int epoch);
    /// One step of all ranks.
    void count(std::span<const RankStep> ranks);
    /// Everything, until the end of the run.
    void write(Nanos end) const;

private:
    struct Node {
        store::Id host = 0;
        CounterLine received, sent, asked, fetched, cached, busy, idle, symbolErrors, waited;
    };
    struct Rank {
        std::size_t node = 0;
        store::Id process = 0;
        CounterLine storageReads, processor;
    };
    void countTraffic(std::span<const RankStep> ranks);
    void countReads(const RankStep& step, Rank& rank);
    void writeNode(const Node& node, Nanos end) const;
    void write(const CounterLine& line, store::TrackKey place, Nanos end) const;

    const Parameters& m_parameters;
    store::RunStore& m_store;
    Nanos m_beat;
    std::vector<Bucket> m_buckets;
    std::vector<Node> m_nodes;
    std::vector<Rank> m_ranks;
    store::Id m_storageHost = 0;
    CounterLine m_disks;
    double m_diskShare = 1;
};

}  // namespace flowgauge::simulate
