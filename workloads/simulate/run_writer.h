// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/ingest_rows.h"
#include "collector/store/run_store.h"
#include "workloads/simulate/counter_lines.h"
#include "workloads/simulate/job.h"

#include <map>
#include <string>
#include <vector>

namespace flowgauge::simulate {

/// Writes what is played as ingest would have written it: hosts, processes, marks, reads, collectives, counters, the job's output; and
/// in the ledger that nothing of it was measured. All of it inside a Transaction of the store's database.
class RunWriter final : public Observer {
public:
    RunWriter(const Parameters& parameters, store::RunStore& store);
    void step(const StepNumber& number, std::span<const RankStep> ranks) override;
    void border(const Border& border) override;
    void end(Nanos at) override;

private:
    /// What a node's samplers would read.
    struct Node {
        store::Id host = 0;
        CounterLine received, sent, asked, fetched, cached, busy, idle, symbolErrors, waited;
    };
    /// Events of one rank that wait to be written, by track.
    struct Rank {
        explicit Rank(Nanos beat) : storageReads(Counter::ProcessReadBytes, beat), processor(Counter::ProcessCpuUser, beat) {}
        store::Id process = 0;
        std::size_t node = 0;
        bool missing = false;
        store::Id marks = 0, communication = 0, reads = 0;
        std::vector<store::StoredEvent> marked, reduced, read;
        std::int64_t unwrittenBytes = 0, unwrittenFetched = 0;
        Nanos unwrittenReading = 0;
        double position = 0;  ///< in the whole data set, bytes
        CounterLine storageReads, processor;
    };
    void addNodes();
    void addRanks();
    void addNames();
    void putLabel();
    void countTraffic(std::span<const RankStep> ranks);
    void countReads(const RankStep& step, Rank& rank);
    void writeStep(const StepNumber& number, const RankStep& step, Rank& rank);
    void writeReads(const RankStep& step, Rank& rank);
    void flush(Rank& rank);
    void logLine(Nanos at, std::string_view type, std::string_view key, const std::string& value, const std::string& metadata);
    void writeCounters(Nanos at);
    [[nodiscard]] store::Id trackOf(const Rank& rank, Lane lane, std::int64_t thread);
    [[nodiscard]] Nanos clockOf(std::size_t node, Nanos at) const;

    const Parameters& m_parameters;
    store::RunStore& m_store;
    store::IngestRows m_rows;
    std::vector<Bucket> m_buckets;
    std::vector<Node> m_nodes;
    std::vector<Rank> m_ranks;
    store::Id m_storageHost = 0;
    CounterLine m_disks;
    double m_diskShare = 1;
    store::Id m_input = 0, m_forward = 0, m_backward = 0, m_optimizer = 0, m_evaluation = 0, m_checkpoint = 0;
    std::vector<store::Id> m_files;
    std::int64_t m_zeroUnixNs = 0;
    int m_epoch = 0;
};

/// When simulated runs begin: a fixed day, so that equal parameters give equal runs.
inline constexpr std::int64_t simulatedZeroUnixNs = 1'767'225'600'000'000'000;

/// The communicator of all ranks.
inline constexpr std::int64_t worldCommunicator = 1;

}  // namespace flowgauge::simulate
