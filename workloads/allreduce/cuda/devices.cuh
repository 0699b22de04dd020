// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// Throws what CUDA says, with the call's name.
inline void check(cudaError_t result, const char* call)
{
    if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

/// A member: its device, its buffers there, and two streams so that the gather of a chunk runs beside the reduction of the next.
struct CudaMember {
    int device = 0;
    float *from = nullptr, *into = nullptr, *sums = nullptr;
    cudaStream_t reduce = nullptr, gather = nullptr;
    std::vector<cudaEvent_t> reduced;  ///< by chunk
};

/// Members dealt out over the devices in turn; several may share one. Throws where two devices cannot read each other's memory.
class CudaMembers {
public:
    CudaMembers(std::size_t members, std::size_t elements, std::size_t chunks);
    ~CudaMembers();
    CudaMembers(const CudaMembers&) = delete;
    CudaMembers& operator=(const CudaMembers&) = delete;
    [[nodiscard]] std::vector<CudaMember>& all() { return m_members; }
    void fill(std::size_t member, const std::vector<float>& values);
    [[nodiscard]] std::vector<float> sums(std::size_t member, std::size_t elements) const;
    void synchronize() const;

private:
    std::vector<CudaMember> m_members;
};

/// The sum over all members by NCCL, one member a device; seconds. Throws where NCCL refuses, or is not built in.
[[nodiscard]] double sumByNccl(CudaMembers& members, std::size_t elements);

}  // namespace flowgauge::workloads::allreduce
