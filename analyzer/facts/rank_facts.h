// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/collective_math.h"
#include "analyzer/facts/interval_set.h"
#include "analyzer/facts/phase.h"
#include "analyzer/facts/read_sums.h"
#include "collector/record/kind.h"
#include "collector/record/measured.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::facts {

struct Step {
    std::int64_t number = 0;
    Interval when;
    std::uint64_t samples = 0;
};

/// What NCCL told of how it carried a call out.
struct CommManner {
    std::optional<CommAlgorithm> algorithm;
    std::optional<CommProtocol> protocol;
    std::int16_t channels = 0;  ///< 0: not told
    friend bool operator==(const CommManner&, const CommManner&) = default;
};

/// What its proxies counted on the network for a call, protocol flags included, headers not.
struct CountedWire {
    double sent = 0, received = 0;
};

/// One rank's call of a collective. (comm, sequence) names the collective that all its ranks share. A run may have ten million: small.
struct CollectiveCall {
    std::uint64_t comm = 0, sequence = 0;
    Interval when;
    std::uint64_t bytes = 0;
    Kind kind = Kind::None;
    std::int32_t root = -1;  ///< rank in the communicator; -1: there is none
    bool enqueued = false;   ///< `when` is how long NCCL took to hand it to the GPU, which ran it later
    CommManner manner{};
};
static_assert(sizeof(CollectiveCall) == 56);

/// Comm, sequence and kind: what the calls of one collective have in common.
using CollectiveKey = std::array<std::uint64_t, 3>;
[[nodiscard]] inline CollectiveKey keyOf(const CollectiveCall& call)
{
    return {call.comm, call.sequence, static_cast<std::uint64_t>(call.kind)};
}

/// An epoch as one rank lived it.
struct EpochPart {
    std::int64_t number = 0;
    Interval when;
    std::uint64_t samples = 0;       ///< 0: not told
    ReadCount reads;                 ///< those that count for it (see read_places.h)
    ReadCount evaluation;            ///< inside marked evaluations and checkpoints since its begin: not among `reads`
    Nanos fetchesFrom = 0;           ///< where the window of what was fetched for it begins
    Measured<std::int64_t> asked;    ///< bytes of `reads`, unless files were mapped
    Measured<std::int64_t> fetched;  ///< from storage, by this rank's processes
    Measured<std::int64_t> faults;   ///< page faults of this rank's processes; only looked for where files were mapped
    bool open = false;               ///< its end was never seen
};

/// Copies in one direction.
struct CopySum {
    std::int64_t count = 0, bytes = 0;
    Nanos time = 0;  ///< sum, not union
};

/// What the rank's GPUs did, and why they did nothing. Idle means: no stream had work.
struct GpuFacts {
    bool used = false;  ///< kernels, copies or fills were recorded
    Interval extent;    ///< from the first begin to the last end of them
    std::int64_t kernels = 0, communicationKernels = 0;
    std::map<std::int64_t, CopySum> copies;        ///< by direction as CUPTI numbers it
    IntervalSet lateLaunch;                        ///< idle: what came next was launched only then
    IntervalSet afterSync;                         ///< idle: as before, and the host had been waiting for the GPU until it ran dry
    Measured<bool> launchesKnown;                  ///< or why causes of idle are not
    std::map<std::uint64_t, std::int64_t> groups;  ///< members of each communicator of the rank
};

/// How closely a rank of very many events was looked at. As it stands here: everything was.
struct Closeness {
    Nanos cell = 0;               ///< where something was is known to within this; totals are exact
    std::int64_t everyPlace = 1;  ///< one of so many places of files was looked at to find epochs
};

/// What one rank did: its main process and its workers. All times are run time.
struct RankFacts {
    int rank = 0;
    bool named = true;  ///< false: the job never said which rank this is; we counted
    std::string host, program;
    bool endedNormally = true;                 ///< false: it crashed or was killed, or its end was not seen
    Interval extent;                           ///< from its first to its last event
    IntervalSet compute, communication, copy;  ///< as the design defines them, each a union over threads
    IntervalSet waiting;                       ///< the step waits for data: marked input, or a read on the thread that trains
    IntervalSet reading;                       ///< read calls of any thread or worker while the step waits (gaps below 1 µs closed)
    IntervalSet writing;                       ///< write and sync calls on data files of any thread (gaps below 1 ms closed)
    GpuFacts gpu;
    std::map<std::string, IntervalSet> phases;        ///< every marked phase by name
    Measured<bool> computeKnown, communicationKnown;  ///< or why not
    bool inputMarked = false;
    std::vector<Step> steps;                       ///< in order of time
    std::vector<CollectiveCall> collectives;       ///< in order of begin
    std::map<CollectiveKey, CountedWire> wires;    ///< of those whose bytes NCCL's proxies counted: none where they moved nothing
    std::map<std::uint64_t, std::int64_t> rankIn;  ///< its rank in each communicator
    std::int64_t commBytes = 0;
    ReadSums reads;
    std::map<std::string, ReadCount> readsElsewhere;  ///< that count for no epoch, by place: start-up, evaluation, ...
    std::map<std::string, std::int64_t> mappedFiles;  ///< data files that were mapped, and the length of the longest mapping
    std::vector<EpochPart> epochs;
    Closeness closeness;

    [[nodiscard]] const IntervalSet& phase(Phase phase) const;  ///< empty where it was never marked
    /// Marked evaluations and checkpoints: what is read in them is no training data.
    [[nodiscard]] IntervalSet besideTraining() const { return phase(Phase::Evaluation).united(phase(Phase::Checkpoint)); }
    [[nodiscard]] std::int64_t mappedBytes() const;
};

/// The identity: compute + exposedCommunication + exposedCopy + inputStall + otherIdle = wall, exactly.
struct TimeParts {
    Nanos wall = 0, compute = 0, exposedCommunication = 0, exposedCopy = 0, inputStall = 0, otherIdle = 0;
    TimeParts& operator+=(const TimeParts& other);
    friend bool operator==(const TimeParts&, const TimeParts&) = default;
};

/// How much of communication computing hides, 0..1; not measured where there is none: a share of nothing is no number.
[[nodiscard]] Measured<double> overlapOf(const IntervalSet& communication, const IntervalSet& compute);

/// The four named parts as disjoint sets: each is what is left after those before it. Made once per rank, asked per window.
struct PartSets {
    IntervalSet compute, exposedCommunication, exposedCopy, inputStall;
    explicit PartSets(const RankFacts& rank);
    [[nodiscard]] TimeParts within(Interval window) const;
};

}  // namespace flowgauge::facts
