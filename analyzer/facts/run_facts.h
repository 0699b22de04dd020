// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/clocks.h"
#include "analyzer/facts/gpudirect.h"
#include "analyzer/facts/log_facts.h"
#include "analyzer/facts/network_facts.h"
#include "analyzer/facts/rank_facts.h"
#include "analyzer/facts/storage_facts.h"
#include "analyzer/facts/trouble_facts.h"
#include "analyzer/facts/watched.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::facts {

enum class EpochSource : std::uint8_t { None, Marks, Log, FileCoverage, LogBlocks, Rhythm };
[[nodiscard]] std::string_view nameOf(EpochSource source);

/// An epoch of the job: from the first rank's begin to the last rank's end.
struct Epoch {
    std::int64_t number = 0;
    Interval when;
    EpochSource source = EpochSource::None;
    bool complete = true;         ///< false: its end was never seen
    double confidence = 1;        ///< 0..1: how surely it is one and begins there
    std::uint64_t samples = 0;    ///< of all ranks; 0: not told
    std::int64_t evaluation = 0;  ///< bytes read in marked evaluations and checkpoints after its begin; not among asked
    Measured<std::int64_t> asked, fetched;
    Measured<std::int64_t> faults;  ///< page faults of all ranks; only looked for where files were mapped
    std::string fetchedSource;      ///< "nfs", "file system": the mounts' wire bytes; "process": storage reads of the ranks' processes
    Measured<Nanos> gapBefore;      ///< shuffle gap: last collective of the epoch before to the first of this one, median over ranks
};

struct LedgerRow {
    std::string what, state, reason;
    std::int64_t amount = 0;
};

/// What recording cost, and what it missed.
struct OwnCost {
    Nanos cpuNs = 0;
    Measured<Nanos> jobCpuNs;  ///< processor time of the recorded processes
    std::int64_t bytes = 0, events = 0, lost = 0;
};

/// Everything the diagnoses may ask. A value: diagnoses get it whole, and tests write it by hand.
struct RunFacts {
    std::string name, program;
    std::int64_t zeroUnixNs = 0;
    Interval extent;
    std::int64_t hosts = 0, processes = 0;
    std::int64_t worldSize = 0;                ///< ranks the job said it has; 0: never said
    std::vector<RankFacts> ranks;              ///< in order of rank
    std::vector<std::string> crashedUnranked;  ///< "train (process 4711 on node-b)": had recorded, and never said which rank it was
    std::vector<Epoch> epochs;
    Clocks clocks;  ///< of the ranks' hosts against the first one's
    LogFacts log;   ///< what the job's own output says; empty() where it says nothing that is understood
    std::vector<LedgerRow> ledger;
    OwnCost cost;
    TroubleFacts trouble;
    GpuDirect gpuDirect;
    NetworkFacts network;
    StorageFacts storage;
    std::vector<WatchedCounter> watched;  ///< only where no rank did anything: a recording without a job
    std::vector<WatchedCounter> fabric;   ///< of a run with a job: ports as the fabric's manager told them
    Measured<double> processorsIdle;      ///< share of time, 0..1, of the busiest host

    /// One of so many steps is written; 1: all are.
    [[nodiscard]] std::int64_t everyStep() const;
    [[nodiscard]] std::vector<int> rankNumbers() const;
    [[nodiscard]] bool haveSteps() const;
};

/// One collective with all its ranks' calls: who came when, by the first host's clock.
struct Meeting {
    std::vector<const CollectiveCall*> calls;  ///< by position in RunFacts::ranks; nullptr where the rank's call is not recorded
    Nanos lastArrival = 0;
    std::size_t lastRank = 0;    ///< position in RunFacts::ranks
    std::int64_t hosts = 1;      ///< on which its ranks run
    std::vector<Nanos> offsets;  ///< of each rank's clock; empty: all on one host
    Nanos doubt = 0;             ///< two arrivals on different hosts that lie closer than this may have been the other way round

    /// The last arrival by the clock of that rank, whose events keep the times that were recorded.
    [[nodiscard]] Nanos lastArrivalFor(std::size_t rank) const { return offsets.empty() ? lastArrival : lastArrival - offsets[rank]; }
};

/// Joins the calls of all ranks by (communicator, sequence); only collectives that at least two recorded ranks share.
/// In order of last arrival.
[[nodiscard]] std::vector<Meeting> meetingsOf(const std::vector<RankFacts>& ranks, const Clocks& clocks = {});

}  // namespace flowgauge::facts
