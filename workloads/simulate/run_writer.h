// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/ingest_rows.h"
#include "collector/store/run_store.h"
#include "workloads/simulate/job_counters.h"
#include "workloads/simulate/job_log.h"

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
    /// Events of one rank that wait to be written, by track.
    struct Rank {
        store::Id process = 0;
        std::size_t node = 0;
        bool missing = false;
        store::Id marks = 0, communication = 0, reads = 0;
        std::vector<store::StoredEvent> marked, reduced, read;
        std::int64_t unwrittenBytes = 0, unwrittenFetched = 0;
        Nanos unwrittenReading = 0;
        double position = 0;  ///< in the whole data set, bytes
    };
    void addNodes();
    void addRanks();
    void addNames();
    void putLabel();
    void writeStep(const StepNumber& number, const RankStep& step, Rank& rank);
    void writeReads(const RankStep& step, Rank& rank);
    void flush(Rank& rank);
    [[nodiscard]] store::Id trackOf(const Rank& rank, Lane lane, std::int64_t thread);
    [[nodiscard]] Nanos clockOf(std::size_t node, Nanos at) const;

    const Parameters& m_parameters;
    store::RunStore& m_store;
    store::IngestRows m_rows;
    std::vector<Bucket> m_buckets;
    std::vector<store::Id> m_hosts;  ///< by node
    std::vector<Rank> m_ranks;
    JobCounters m_counters;
    JobLog m_log;
    store::Id m_input = 0, m_forward = 0, m_backward = 0, m_optimizer = 0, m_evaluation = 0, m_checkpoint = 0;
    std::vector<store::Id> m_files;
    int m_epoch = 0;
};

/// The communicator of all ranks.
inline constexpr std::int64_t worldCommunicator = 1;

}  // namespace flowgauge::simulate
