// SPDX-License-Identifier: MIT
#pragma once
#include <vector>
#include "workloads/train/buckets.h"

namespace flowgauge::workloads {

/// Bottleneck blocks of ResNet-50's four layers, and the width of each layer's 3x3 convolutions.
inline constexpr int resnet50Blocks[4] = {3, 4, 6, 3};
inline constexpr int resnet50Widths[4] = {64, 128, 256, 512};
inline constexpr int resnet50Expansion = 4, resnet50Classes = 1000;

/// ResNet-50's 161 trainable tensors, 25,557,032 numbers, named and ordered as torchvision does: by arithmetic, without torch.
[[nodiscard]] std::vector<TensorInfo> resnet50Tensors();

/// The share of a backward pass's work that stands behind each of those tensors, in all 1. Multiply-accumulates at 224 px:
/// conv1 0.118 G, the four layers 0.668, 1.028, 1.464 and 0.809 G, spread evenly over a layer's convolutions.
[[nodiscard]] std::vector<double> resnet50WorkShares();

}  // namespace flowgauge::workloads
