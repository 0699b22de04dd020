// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include "workloads/resnet50/resnet50_model.h"
#include "workloads/train/program.h"

using namespace flowgauge::workloads;

int main(int argc, char** argv)
{
    Resnet50Plan plan;
    const TrainingProgram program{"resnet50", "Trains ResNet-50 v1.5 on a record-shard set, data-parallel over MPI.",
                                  [&](CLI::App& app) {
                                      app.add_option("--device", plan.device, "auto takes CUDA where libtorch has it")
                                          ->capture_default_str()
                                          ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
                                      app.add_option("--momentum", plan.momentum, "Of SGD")->capture_default_str();
                                      app.add_option("--weight-decay", plan.weightDecay,
                                                     "Of convolutions and the last layer; norms and biases are free of it")
                                          ->capture_default_str();
                                  },
                                  [&](const Options& options, const Communicator& communicator) {
                                      plan.seed = options.seed;
                                      plan.rank = communicator.rank();
                                      plan.size = communicator.size();
                                      return makeResnet50(plan);
                                  }};
    return runTraining(program, argc, argv);
}
