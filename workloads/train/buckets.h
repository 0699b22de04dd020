// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::workloads {

/// A trainable tensor.
struct TensorInfo {
    std::string name;
    std::uint64_t elements = 0;
};

/// Where a tensor's gradient lies.
struct BucketPlace {
    std::size_t bucket = 0, offset = 0;  ///< offset in elements
};

/// Gradients gathered into a few messages.
struct BucketPlan {
    std::vector<BucketPlace> places;       ///< a tensor each, in the model's order
    std::vector<std::uint64_t> elements;   ///< a bucket each, in the order they fill up
    std::vector<std::size_t> tensorCount;  ///< a bucket each
    [[nodiscard]] std::vector<std::uint64_t> bytes() const;
};

/// When a bucket is full.
struct BucketLimits {
    std::uint64_t firstBytes = 1 << 20;  ///< small, so that communication starts early
    std::uint64_t capBytes = 25 << 20;
};

/// Fills buckets in the reverse order of the tensors, as backward makes them; a bucket closes after the tensor that reaches its limit.
/// The limits are those of PyTorch's DistributedDataParallel (torch 1.13: kDefaultFirstBucketBytes, kDefaultBucketBytesCap), fp32.
[[nodiscard]] BucketPlan planBuckets(const std::vector<TensorInfo>& tensors, const BucketLimits& limits);

}  // namespace flowgauge::workloads
