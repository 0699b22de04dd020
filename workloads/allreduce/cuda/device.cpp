// SPDX-License-Identifier: MIT
#include "workloads/allreduce/cuda/device.h"
#include "workloads/failure.h"

#include <algorithm>

namespace flowgauge::workloads::allreduce {

void check(cudaError_t result, const char* call)
{
    if (result != cudaSuccess) throw Failure(call, cudaGetErrorString(result));
}

void onDevice(std::size_t device) { check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice"); }

DeviceFloats deviceFloats(std::size_t count)
{
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(count, 1) * sizeof(float)), "cudaMalloc");
    return DeviceFloats(static_cast<float*>(memory));
}

PinnedFloats pinnedFloats(std::size_t count)
{
    void* memory = nullptr;
    check(cudaMallocHost(&memory, std::max<std::size_t>(count, 1) * sizeof(float)), "cudaMallocHost");
    return PinnedFloats(static_cast<float*>(memory));
}

Stream newStream()
{
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return Stream(stream);
}

void finish(const Stream& stream) { check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize"); }

void DeviceMember::resize(std::size_t count, bool inPlace)
{
    onDevice(device);
    elements = count;
    from = deviceFloats(count);
    separate = inPlace ? nullptr : deviceFloats(count);
}

void DeviceMember::fill(std::span<const float> values)
{
    onDevice(device);
    check(cudaMemcpy(from.get(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // small copies are still on their way, and our streams wait for no other
}

std::vector<float> DeviceMember::sums() const
{
    std::vector<float> values(elements);
    onDevice(device);
    check(cudaMemcpy(values.data(), into(), elements * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
}

}  // namespace flowgauge::workloads::allreduce
