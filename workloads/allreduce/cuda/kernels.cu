// SPDX-License-Identifier: MIT
// Nothing waits inside a kernel, so that any number of members can share one GPU.
#include "workloads/allreduce/cuda/kernels.h"

namespace flowgauge::workloads::allreduce {
namespace {

constexpr int threadsOfBlock = 256, blocks = 64, atOnce = 16;

__device__ std::size_t first() { return blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; }
__device__ std::size_t stride() { return gridDim.x * static_cast<std::size_t>(blockDim.x); }

/// Values are asked for from up to sixteen members before the first is added, so that all links carry something at any time.
__global__ void reduceSlice(const Fellows fellows, std::size_t size, float* sums)
{
    for (std::size_t i = first(); i < size; i += stride()) {
        float sum = 0;
        for (int base = 0; base < fellows.members; base += atOnce) {
            float values[atOnce];
#pragma unroll
            for (int k = 0; k < atOnce; ++k)
                if (base + k < fellows.members) values[k] = fellows.at[base + k][i];
#pragma unroll
            for (int k = 0; k < atOnce; ++k)
                if (base + k < fellows.members) sum = base + k == 0 ? values[k] : sum + values[k];
        }
        sums[i] = sum;
    }
}

__global__ void copySlice(const float* sums, std::size_t size, float* into)
{
    for (std::size_t i = first(); i < size; i += stride()) into[i] = sums[i];
}

}  // namespace

cudaError_t launchReduce(const Fellows& fellows, std::size_t size, float* sums, cudaStream_t stream)
{
    reduceSlice<<<blocks, threadsOfBlock, 0, stream>>>(fellows, size, sums);
    return cudaGetLastError();
}

cudaError_t launchCopy(const float* sums, std::size_t size, float* into, cudaStream_t stream)
{
    copySlice<<<blocks, threadsOfBlock, 0, stream>>>(sums, size, into);
    return cudaGetLastError();
}

}  // namespace flowgauge::workloads::allreduce
