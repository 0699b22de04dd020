// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include "workloads/data/epoch_order.h"
#include "workloads/data/loader.h"

namespace CLI {
class App;
}

namespace flowgauge::workloads {

/// All that a training program can be told.
struct Options {
    std::filesystem::path data;
    int epochs = 3;
    int steps = 0;  ///< most steps an epoch; 0: all
    LoadPlan load;
    std::string readMode = "pread", shardRule = "reshuffle", communication = "mpi";
    double learningRate = 0.4;  ///< for 256 samples a step in all; scaled to the batch in use
    double warmupEpochs = 0.5;
    std::uint64_t seed = 1;
    bool noOverlap = false, dropCache = false, noDecode = false;
    double bucketMib = 25;
    double shufflePauseMs = 0;
    int evaluateEvery = 1;
    std::filesystem::path checkpoint;
    std::string ledger;
    int logEvery = 10;
    int slowRank = -1;
    double slowMs = 0;
};

/// Adds the options that every training program has.
void addOptions(CLI::App& app, Options& options);

/// After parsing: the values that depend on others. Throws Failure on a value that no option check catches.
void settleOptions(Options& options);

}  // namespace flowgauge::workloads
