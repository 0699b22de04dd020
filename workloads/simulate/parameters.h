// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Runs that nobody ran: a parameter file in, a complete recording out. For pictures of clusters that are not at hand, and for
/// tests that know the truth.
namespace flowgauge::simulate {

struct Cluster {
    int nodes = 1, gpusPerNode = 4, processors = 40;
    double memoryGb = 384;  ///< of a node; nine tenths of it may hold file pages
    std::string gpu = "GPU";
};

/// How gradients travel between nodes. Hierarchical: one endpoint a node; Ring: every rank is a member, as flat NCCL rings.
enum class Scheme : std::uint8_t { Hierarchical, Ring };

struct Link {
    double gbps = 100;        ///< of a node's port, each direction
    double efficiency = 1;    ///< share of it that gradients reach
    double latencyUs = 10;    ///< of one hop
    double insideGbps = 800;  ///< between the GPUs of a node
    Scheme scheme = Scheme::Ring;
};

struct Storage {
    std::string mount = "/mnt/storage";
    double bandwidthMbPerS = 20000;  ///< of all its disks and caches together
    double nodeMbPerS = 4000;        ///< what one node can take
    double cacheGb = 1000;           ///< of the storage itself
    double sharedReadAhead = 0;      ///< share of first reads that its caches serve, per doubling of nodes
};

/// Which samples a rank reads in an epoch: always the same, newly drawn from all, or those of the rank before.
enum class ShardRule : std::uint8_t { Sticky, Reshuffle, Rotate };

struct Data {
    std::int64_t samples = 1281167;
    double bytes = 144e9;  ///< 0: synthetic data, nothing is read
    int files = 256;
    ShardRule rule = ShardRule::Reshuffle;
    double requestKb = 1024;
    double requestUs = 15;  ///< what a call costs beside its bytes
    double decodeMs = 0;    ///< work of the loader on one batch while no read is open
};

struct Model {
    std::string name = "resnet50";
    double gradientMb = 51.114064;                                    ///< of one step: 16-bit gradients of ResNet-50
    std::vector<double> bucketsMib{7.82, 30.04, 25.04, 25.32, 9.27};  ///< only their proportions count
    double computeMs = 152;
    double forwardShare = 0.33, optimizerShare = 0.02;  ///< of computeMs; backward is the rest
    double jitter = 0.005;                              ///< standard deviation of a rank's step, as a share
    bool overlap = true;
    int batchPerGpu = 208;
};

struct Training {
    int epochs = 3;
    std::int64_t stepsPerEpoch = 0;  ///< 0: as many as the data gives
    double target = 0.749;           ///< reached in the last epoch
    int evaluateEvery = 0, checkpointEvery = 0;
    double evaluationS = 0, checkpointS = 0, shufflePauseS = 0;
};

struct Recording {
    std::int64_t everyStep = 1;     ///< one of so many steps is written
    std::int64_t readsPerStep = 4;  ///< at most so many events for the reads of a step
    double countersPerSecond = 1;
    bool epochMarks = true;  ///< false: epochs stand in the job's output alone
};

struct Clock {
    int node = 0;
    double offsetMs = 0, driftPpm = 0;
};

/// A rank that computes longer than the others.
struct SlowRank {
    int rank = 0;
    double slower = 0;
};

/// Something wrong on purpose: a row of the table in faults.cpp and how much of it.
struct Fault {
    std::string kind;
    double amount = 0;
    int rank = 0;
    friend bool operator==(const Fault&, const Fault&) = default;
};

struct Parameters {
    std::string title = "a simulated run", comment;
    std::uint64_t seed = 1;
    Cluster cluster;
    Link link;
    Storage storage;
    Data data;
    Model model;
    Training training;
    Recording recording;
    std::vector<Clock> clocks;
    std::vector<SlowRank> slowRanks;
    std::vector<int> missingRanks;
    std::int64_t lostEvents = 0;  ///< told as dropped
    double linkErrorsPerS = 0;    ///< on every port
    std::vector<Fault> faults;

    [[nodiscard]] int ranks() const { return cluster.nodes * cluster.gpusPerNode; }
    [[nodiscard]] double bytesPerSample() const { return data.bytes / static_cast<double>(data.samples); }
    [[nodiscard]] std::int64_t globalBatch() const { return std::int64_t{model.batchPerGpu} * ranks(); }
    [[nodiscard]] std::int64_t steps() const;  ///< of an epoch; a batch that is not full is left out
};

/// Throws Error (file, key, expected) for a file that is no parameter file, an unknown key, or a value out of range.
[[nodiscard]] Parameters readParameters(const std::filesystem::path& file);
[[nodiscard]] Parameters parametersOf(const std::string& json, const std::string& where);

}  // namespace flowgauge::simulate
