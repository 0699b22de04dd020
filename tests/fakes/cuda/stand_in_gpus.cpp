// SPDX-License-Identifier: MIT
// STAND-IN for the CUDA runtime and the kernels of workloads/allreduce/cuda: its "GPUs" are memory of the process. Stricter than real ones:
// a stream works only when somebody waits for it, and whoever reads another device's memory without peer access, or uses a stream while
// another device is the thread's own, is refused.
//
// STAND_IN_GPUS: how many (4). STAND_IN_ATOMICS: pairs whose link carries atomics, as 0-1,2-3. STAND_IN_NO_ACCESS: pairs without peer
// access.
#include "workloads/allreduce/cuda/kernels.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

struct CUstream_st {
    int device;
    std::vector<std::function<cudaError_t()>> work;
};

namespace {

std::mutex mutex;
std::map<const void*, std::pair<std::size_t, int>> memory;  // size and device by address; device -1: the host's, pinned
std::set<std::pair<int, int>> enabled;
thread_local int current = 0;

std::string variable(const char* name, const char* otherwise)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

bool lists(const char* name, int one, int other)
{
    const auto pair = [](int left, int right) { return "," + std::to_string(left) + "-" + std::to_string(right) + ","; };
    const std::string all = "," + variable(name, "") + ",";
    return all.find(pair(one, other)) != std::string::npos || all.find(pair(other, one)) != std::string::npos;
}

/// Whether so many floats there lie in one piece of memory that `device` may touch.
bool mayTouch(int device, const float* at, std::size_t count)
{
    const std::lock_guard lock(mutex);
    auto piece = memory.upper_bound(at);
    if (piece == memory.begin()) return false;
    --piece;
    const auto [size, home] = piece->second;
    const auto* const end = static_cast<const char*>(piece->first) + size;
    return reinterpret_cast<const char*>(at + count) <= end && (home == -1 || home == device || enabled.contains({device, home}));
}

cudaError_t queue(cudaStream_t stream, std::function<cudaError_t()> work)
{
    if (stream == nullptr || stream->device != current) return cudaErrorInvalidResourceHandle;
    stream->work.push_back(std::move(work));
    return cudaSuccess;
}

cudaError_t newMemory(void** into, std::size_t size, int device)
{
    *into = std::malloc(size);
    std::memset(*into, 0xff, size);  // not a number, until somebody writes
    const std::lock_guard lock(mutex);
    memory[*into] = {size, device};
    return cudaSuccess;
}

cudaError_t release(void* at)
{
    const std::lock_guard lock(mutex);
    if (memory.erase(at) == 0) return at == nullptr ? cudaSuccess : cudaErrorInvalidValue;
    std::free(at);
    return cudaSuccess;
}

}  // namespace

namespace flowgauge::workloads::allreduce {

cudaError_t launchReduce(const Fellows& fellows, std::size_t size, float* sums, cudaStream_t stream)
{
    return queue(stream, [=, device = current] {
        for (int member = 0; member < fellows.members; ++member)
            if (!mayTouch(device, fellows.at[member], size)) return cudaErrorIllegalAddress;
        if (!mayTouch(device, sums, size)) return cudaErrorIllegalAddress;
        for (std::size_t i = 0; i < size; ++i) {
            sums[i] = fellows.at[0][i];
            for (int member = 1; member < fellows.members; ++member) sums[i] += fellows.at[member][i];
        }
        return cudaSuccess;
    });
}

cudaError_t launchCopy(const float* sums, std::size_t size, float* into, cudaStream_t stream)
{
    return queue(stream, [=, device = current] {
        if (!mayTouch(device, sums, size) || !mayTouch(device, into, size)) return cudaErrorIllegalAddress;
        std::memcpy(into, sums, size * sizeof(float));
        return cudaSuccess;
    });
}

}  // namespace flowgauge::workloads::allreduce

extern "C" {

const char* cudaGetErrorString(cudaError_t error)
{
    static thread_local char text[64];
    std::snprintf(text, sizeof text, "stand-in error %d", static_cast<int>(error));
    return text;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = std::atoi(variable("STAND_IN_GPUS", "4").c_str());
    return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaSetDevice(int device)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || device >= count) return cudaErrorInvalidDevice;
    current = device;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int room, int device)
{
    std::snprintf(text, static_cast<std::size_t>(room), "0000:%02d:00.0", device);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int one, int other)
{
    const bool access = !lists("STAND_IN_NO_ACCESS", one, other);
    *value = access && (attribute == cudaDevP2PAttrAccessSupported || lists("STAND_IN_ATOMICS", one, other)) ? 1 : 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned)
{
    if (lists("STAND_IN_NO_ACCESS", current, other)) return cudaErrorPeerAccessUnsupported;
    const std::lock_guard lock(mutex);
    return enabled.insert({current, other}).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
}
cudaError_t cudaMalloc(void** into, std::size_t size) { return newMemory(into, size, current); }
cudaError_t cudaMallocHost(void** into, std::size_t size) { return newMemory(into, size, -1); }
cudaError_t cudaFree(void* at) { return release(at); }
cudaError_t cudaFreeHost(void* at) { return release(at); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    *stream = new CUstream_st{current, {}};
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t first = cudaSuccess;
    for (const auto& work : stream->work)
        if (const cudaError_t error = work(); first == cudaSuccess) first = error;
    stream->work.clear();
    return first;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaMemcpy(void* into, const void* from, std::size_t size, cudaMemcpyKind)
{
    std::memcpy(into, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* into, const void* from, std::size_t size, cudaMemcpyKind, cudaStream_t stream)
{
    return queue(stream, [=, device = current] {
        if (!mayTouch(device, static_cast<const float*>(from), size / sizeof(float)) ||
            !mayTouch(device, static_cast<const float*>(into), size / sizeof(float)))
            return cudaErrorIllegalAddress;
        std::memcpy(into, from, size);
        return cudaSuccess;
    });
}
}
