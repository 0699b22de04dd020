// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>

namespace flowgauge::workloads::allreduce {

inline constexpr std::size_t mostOfGroup = 64;

/// The members' buffers at the slice's first element, some on other devices.
struct Fellows {
    const float* at[mostOfGroup];
    int members;
};

/// Adds `size` elements of all members, in the order of members, whatever the grid: the same bits each time. On the stream's device.
[[nodiscard]] cudaError_t launchReduce(const Fellows& fellows, std::size_t size, float* sums, cudaStream_t stream);

/// Reads another member's sums.
[[nodiscard]] cudaError_t launchCopy(const float* sums, std::size_t size, float* into, cudaStream_t stream);

}  // namespace flowgauge::workloads::allreduce
