// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <memory>
#include "workloads/train/communicator.h"
#include "workloads/train/model.h"
#include "workloads/train/options.h"

namespace flowgauge::workloads {

/// What tells one training program from another: its name and its model.
struct TrainingProgram {
    std::string name, purpose;
    std::function<void(CLI::App&)> addOwnOptions;
    std::function<std::unique_ptr<Model>(const Options&, const Communicator&)> makeModel;
};

/// main() of a training program: options, MPI, training, ledger. Returns the exit status: 0, or 2 after one line on what was wrong.
[[nodiscard]] int runTraining(const TrainingProgram& program, int argc, char** argv);

}  // namespace flowgauge::workloads
