// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/network.h"
#include "analyzer/findings/sentence.h"
#include "analyzer/findings/storage.h"
#include "collector/record/measured.h"
#include "collector/record/time.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::findings {

/// The parts into which the identity divides time.
enum class Part : std::uint8_t { Compute, ExposedCommunication, ExposedCopy, InputStall, OtherIdle };
inline constexpr std::size_t partCount = 5;
inline constexpr std::array<std::string_view, partCount> partNames{"compute", "exposed communication", "exposed copy", "input stall",
                                                                   "other idle"};

/// Share of one part, over ranks.
struct PartShare {
    Part part = Part::OtherIdle;
    double share = 0, lowest = 0, highest = 0;  ///< of all ranks together; of the rank with least and most
    friend bool operator==(const PartShare&, const PartShare&) = default;
};

/// Where the time of a step (or of the run, when no steps are known) went. Shares add up to 1.
struct Breakdown {
    std::string what = "run";  ///< "step" or "run"
    Nanos length = 0;          ///< median step, or wall time
    std::vector<PartShare> parts;
    std::vector<std::string> remarks;  ///< what the parts do not say: "compute is not marked: ..."
};

/// A value that is only known to lie between two others.
struct ByteRange {
    std::int64_t least = 0, most = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

struct EpochRow {
    std::int64_t number = 0;
    Nanos time = 0;
    Measured<double> samplesPerSecond;
    Measured<std::int64_t> asked, fetched;
    Measured<ByteRange> touched;  ///< of mapped files, from page faults; only where asked is not known
    std::int64_t evaluation = 0;  ///< bytes read in marked evaluations and checkpoints after its begin; not among asked
    std::string fetchedSource;    ///< "nfs", "file system" or "process"
    Measured<double> fromCache;
    Measured<Nanos> shuffleGap;  ///< before this epoch
    std::string foundBy;
    double confidence = 1;  ///< 0..1: how surely it is an epoch and begins there
};

/// Collectives of one kind and size; times and bandwidths as facts::CollectiveFigures tells them.
struct CollectiveRow {
    std::string name;        ///< "allreduce"
    std::int64_t bytes = 0;  ///< of one rank
    std::int64_t ranks = 0, calls = 0;
    Nanos waited = 0, moved = 0;   ///< sums over ranks and calls
    Nanos wait = 0, transfer = 0;  ///< medians
    Measured<double> algbw, busbw;
    std::string manner{};           ///< "RING/LL128", as NCCL told it; "" where nothing did
    std::int64_t channels = 0;      ///< 0: not told
    Measured<double> wireOfRank{};  ///< bytes that a rank sends for one call, flags of the protocol included
    Measured<double> linkUse{};     ///< of the link that carries it, as facts::linkUseOf tells it
    [[nodiscard]] double waitShare() const
    {
        const Nanos all = waited + moved;
        return all > 0 ? static_cast<double>(waited) / static_cast<double>(all) : 0;
    }
};

/// Reads that count for no epoch.
struct ReadsElsewhere {
    std::string place;
    std::int64_t calls = 0, bytes = 0;
};

/// Data files that the program maps instead of reading them.
struct MappedFiles {
    std::vector<std::string> paths;  ///< in order
    std::int64_t bytes = 0;          ///< of all together
};

struct NotMeasured {
    std::string what, why;
    std::string question{};  ///< that cannot be answered for it; "" where that is plain
    friend bool operator==(const NotMeasured&, const NotMeasured&) = default;
};

/// A host's clock against the first host's.
struct ClockRow {
    std::string host;
    Measured<Nanos> ahead;      ///< in the middle of the run
    Nanos error = 0;            ///< the truth is no further off, at any time of the run
    std::int64_t timesSet = 0;  ///< so often it was set meanwhile
};

struct Cost {
    Measured<double> cpuShare;
    std::int64_t bytesWritten = 0, events = 0, lost = 0;
};

/// All that the first screen says beside the findings.
struct RunSummary {
    std::string name;     ///< of the run's directory
    std::string program;  ///< what ran
    std::int64_t recordedUnixNs = 0;
    std::int64_t ranks = 0, hosts = 0, processes = 0;
    Nanos wall = 0;
    Breakdown breakdown;
    std::vector<EpochRow> epochs;
    std::vector<CollectiveRow> collectives;  ///< most time first
    Network network;
    std::vector<ClockRow> clocks;  ///< the first host is what the others are told against; empty: there is one
    Storage storage;
    std::vector<WatchedRow> watched;             ///< of a recording without a job
    std::vector<WatchedRow> fabric;              ///< ports as the fabric's manager told them, of a run with a job
    std::vector<Sentence> said;                  ///< what the job's own output says
    std::vector<ReadsElsewhere> readsElsewhere;  ///< of all ranks
    MappedFiles mapped;
    std::vector<NotMeasured> notMeasured;
    std::vector<NotMeasured> degraded;  ///< measured, but less well than it could have been
    std::vector<std::string> remarks;   ///< "rank 3 of 4 is not in this recording", ...
    bool lacksRanks = false;            ///< the first remark says which
    std::string simulated;              ///< what says that nothing of this run was measured; "" for a real one
    Cost cost;
};

}  // namespace flowgauge::findings
