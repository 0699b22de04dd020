// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include "workloads/sim/sim_model.h"
#include "workloads/train/program.h"

using namespace flowgauge::workloads;

int main(int argc, char** argv)
{
    SimPlan plan;
    const TrainingProgram program{
        "train_sim",
        "Behaves like data-parallel training of ResNet-50, with real reads and real collectives, and burns CPU time in place of the model.",
        [&](CLI::App& app) {
            app.add_option("--scale", plan.scale, "Size of each of the 161 gradient tensors against ResNet-50's")
                ->capture_default_str()
                ->check(CLI::Range(0.0, 1.0));
            app.add_option("--compute-ms", plan.computeMs, "CPU time of a step's forward and backward")
                ->capture_default_str()
                ->check(CLI::NonNegativeNumber);
        },
        [&](const Options&, const Communicator& communicator) {
            plan.rank = communicator.rank();
            plan.size = communicator.size();
            return std::make_unique<SimModel>(plan);
        }};
    return runTraining(program, argc, argv);
}
