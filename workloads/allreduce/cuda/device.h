// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// Throws what CUDA says, with the call's name.
void check(cudaError_t result, const char* call);

/// Makes the device this thread's.
void onDevice(std::size_t device);

struct CudaRelease {
    void operator()(float* memory) const { cudaFree(memory); }
    void operator()(CUstream_st* stream) const { cudaStreamDestroy(stream); }
};
struct PinnedRelease {
    void operator()(float* memory) const { cudaFreeHost(memory); }
};
using DeviceFloats = std::unique_ptr<float, CudaRelease>;
using PinnedFloats = std::unique_ptr<float, PinnedRelease>;
using Stream = std::unique_ptr<CUstream_st, CudaRelease>;

/// On this thread's device.
[[nodiscard]] DeviceFloats deviceFloats(std::size_t count);
[[nodiscard]] PinnedFloats pinnedFloats(std::size_t count);
[[nodiscard]] Stream newStream();
void finish(const Stream& stream);

/// A member's values and results on its device, from and to memory of the process.
struct DeviceMember {
    std::size_t device = 0, elements = 0;
    DeviceFloats from, separate;  ///< `separate` is empty where the sum replaces the values
    [[nodiscard]] float* into() const { return separate ? separate.get() : from.get(); }
    void resize(std::size_t count, bool inPlace);
    void fill(std::span<const float> values);
    [[nodiscard]] std::vector<float> sums() const;
};

}  // namespace flowgauge::workloads::allreduce
