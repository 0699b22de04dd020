// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include "workloads/train/model.h"

namespace flowgauge::workloads {

/// What the network runs on, and how it learns.
struct Resnet50Plan {
    std::string device = "auto";  ///< auto, cpu or cuda
    double momentum = 0.9, weightDecay = 1e-4;
    std::uint64_t seed = 1;
    int rank = 0, size = 1;
};

/// ResNet-50 v1.5 in libtorch. Throws Failure when the device is absent. Sets torch to one thread for this process: ranks are the
/// parallelism, and OpenMP's waiting threads would eat the cores of the others.
[[nodiscard]] std::unique_ptr<Model> makeResnet50(const Resnet50Plan& plan);

}  // namespace flowgauge::workloads
