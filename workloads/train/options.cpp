// SPDX-License-Identifier: MIT
#include "workloads/train/options.h"
#include <CLI/CLI.hpp>

namespace flowgauge::workloads {

static void addTraining(CLI::App& app, Options& o)
{
    app.add_option("DATA", o.data, "Folder of a record-shard set (see make_dataset)")->required();
    app.add_option("--epochs", o.epochs, "Passes over the data")->capture_default_str()->check(CLI::Range(1, 100'000));
    app.add_option("--steps", o.steps, "At most that many steps an epoch; 0: all")->capture_default_str()->check(CLI::NonNegativeNumber);
    app.add_option("--batch", o.load.batch, "Samples a step and rank")->capture_default_str()->check(CLI::Range(1, 4096));
    app.add_option("--image", o.load.edgePx, "Edge of the pictures the model sees, pixels")
        ->capture_default_str()
        ->check(CLI::Range(8, 512));
    app.add_option("--learning-rate", o.learningRate, "For 256 samples a step in all; scaled to the batch in use")->capture_default_str();
    app.add_option("--warmup-epochs", o.warmupEpochs, "Linear warm-up")->capture_default_str()->check(CLI::NonNegativeNumber);
    app.add_option("--seed", o.seed, "Of weights and shuffles")->capture_default_str();
    app.add_option("--evaluate-every", o.evaluateEvery, "Epochs between evaluations; 0: never")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    app.add_option("--checkpoint", o.checkpoint, "Folder to write the model to after each epoch; none: no checkpoints");
}

static void addInput(CLI::App& app, Options& o)
{
    app.add_option("--read-mode", o.readMode, "How files are read")
        ->capture_default_str()
        ->check(CLI::IsMember({"read", "pread", "fread", "mmap"}));
    app.add_option("--shard-rule", o.shardRule, "Which records a rank reads in an epoch: its own, any, the next rank's")
        ->capture_default_str()
        ->check(CLI::IsMember({"sticky", "reshuffle", "rotate"}));
    app.add_option("--readers", o.load.readers, "Threads that read and decode")->capture_default_str()->check(CLI::Range(1, 256));
    app.add_option("--prefetch", o.load.prefetch, "Batches made ahead")->capture_default_str()->check(CLI::Range(0, 1024));
    app.add_option("--shuffle-pause-ms", o.shufflePauseMs, "Rest that long while shuffling before each epoch")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--drop-cache", o.dropCache, "Ask the kernel to forget the data files first");
    app.add_flag("--no-decode", o.noDecode, "Read the records, but do not decode them");
}

static void addBooks(CLI::App& app, Options& o)
{
    app.add_option("--comm", o.communication,
                   "How gradients are summed: mpi: MPI_Allreduce; grouped: the scheme of the allreduce workload; nccl: NCCL on the GPUs")
        ->capture_default_str()
        ->check(CLI::IsMember({"mpi", "grouped", "nccl"}));
    app.add_flag("--no-overlap", o.noOverlap, "Reduce the gradients after backward instead of during it");
    app.add_option("--bucket-mib", o.bucketMib, "Gradient bucket size")->capture_default_str()->check(CLI::PositiveNumber);
    app.add_option("--ledger", o.ledger, "Write what was asked of files and MPI to this file as JSON; %r is the rank");
    app.add_option("--log-every", o.logEvery, "Steps between rate lines")->capture_default_str()->check(CLI::PositiveNumber);
}

static void addFaults(CLI::App& app, Options& o)
{
    const std::string group = "Faults, for tests";
    app.add_option("--slow-rank", o.slowRank, "The rank that computes longer")->group(group);
    app.add_option("--slow-ms", o.slowMs, "By how much, a step")->group(group)->check(CLI::NonNegativeNumber);
    app.add_option("--tiny-reads", o.load.read.pieceBytes, "Read records in pieces of that many bytes")->group(group);
    app.add_option("--read-delay-ms", o.load.read.delayMs, "Every read call takes that much longer")
        ->group(group)
        ->check(CLI::NonNegativeNumber);
}

void addOptions(CLI::App& app, Options& options)
{
    addTraining(app, options);
    addInput(app, options);
    addBooks(app, options);
    addFaults(app, options);
}

void settleOptions(Options& options)
{
    options.load.read.mode = readModeOf(options.readMode);
    options.load.decode = !options.noDecode;
}

}  // namespace flowgauge::workloads
