// SPDX-License-Identifier: MIT
#include "workloads/train/program.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include "workloads/train/trainer.h"

namespace flowgauge::workloads {

static LedgerFacts factsOf(const TrainingProgram& program, const Options& options, const Communicator& communicator)
{
    LedgerFacts facts;
    facts.program = program.name;
    facts.readMode = options.readMode;
    facts.shardRule = options.shardRule;
    facts.library = communicator.library();
    facts.rank = communicator.rank();
    facts.size = communicator.size();
    facts.overlap = !options.noOverlap;
    return facts;
}

static void train(const TrainingProgram& program, const Options& options, Communicator& communicator, Ledger& ledger)
{
    LedgerFacts facts = factsOf(program, options, communicator);
    const auto model = program.makeModel(options, communicator);
    for (const TensorInfo& tensor : model->tensors()) facts.parameters += tensor.elements;
    facts.tensors = model->tensors().size();
    Trainer trainer(options, communicator, *model, ledger);
    facts.bucketBytes = trainer.buckets().bytes();
    trainer.run();
    communicator.barrier();
    if (!options.ledger.empty()) ledger.write(ledgerPath(options.ledger, communicator.rank()), facts);
}

/// What sums gradients in place of MPI_Allreduce; nullptr: nothing does.
static std::unique_ptr<Communicator> summingAs(const Options& options, Communicator& mpi, Ledger& ledger)
{
    if (options.communication == "grouped") return summingGrouped(mpi, ledger);
    if (options.communication == "nccl") return summingByNccl(mpi, ledger);
    return nullptr;
}

int runTraining(const TrainingProgram& program, int argc, char** argv)
{
    CLI::App app(program.purpose, program.name);
    Options options;
    addOptions(app, options);
    program.addOwnOptions(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;  // 0: help was asked for
    }
    Ledger ledger;
    std::unique_ptr<Communicator> mpi;
    try {
        settleOptions(options);
        mpi = startMpi(ledger);
        const std::unique_ptr<Communicator> summing = summingAs(options, *mpi, ledger);
        train(program, options, summing ? *summing : *mpi, ledger);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", program.name.c_str(), error.what());
        if (mpi && mpi->size() > 1) mpi->abort(2);
        return 2;
    }
}

}  // namespace flowgauge::workloads
