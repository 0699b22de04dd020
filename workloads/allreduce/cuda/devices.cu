// SPDX-License-Identifier: MIT
#include "workloads/allreduce/cuda/devices.cuh"

namespace flowgauge::workloads::allreduce {
namespace {

void allowPeers(int devices)
{
    for (int one = 0; one < devices; ++one)
        for (int other = 0; other < devices; ++other) {
            if (one == other) continue;
            int allowed = 0;
            check(cudaDeviceCanAccessPeer(&allowed, one, other), "cudaDeviceCanAccessPeer");
            if (allowed == 0)
                throw std::runtime_error("GPU " + std::to_string(one) + " cannot read the memory of GPU " + std::to_string(other) +
                                         "; choose others with CUDA_VISIBLE_DEVICES");
            check(cudaSetDevice(one), "cudaSetDevice");
            const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
            if (enabled == cudaErrorPeerAccessAlreadyEnabled)
                static_cast<void>(cudaGetLastError());
            else
                check(enabled, "cudaDeviceEnablePeerAccess");
        }
}

void make(CudaMember& member, std::size_t elements, std::size_t chunks)
{
    const std::size_t bytes = elements * sizeof(float);
    check(cudaSetDevice(member.device), "cudaSetDevice");
    for (float** buffer : {&member.from, &member.into, &member.sums})
        check(cudaMalloc(reinterpret_cast<void**>(buffer), bytes), "cudaMalloc");
    for (cudaStream_t* stream : {&member.reduce, &member.gather})
        check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "cudaStreamCreate");
    member.reduced.resize(chunks);
    for (cudaEvent_t& event : member.reduced) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
}

}  // namespace

CudaMembers::CudaMembers(std::size_t members, std::size_t elements, std::size_t chunks) : m_members(members)
{
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    devices = static_cast<std::size_t>(devices) > members ? static_cast<int>(members) : devices;
    allowPeers(devices);
    for (std::size_t i = 0; i < members; ++i) {
        m_members[i].device = static_cast<int>(i) % devices;
        make(m_members[i], elements, chunks);
    }
}

CudaMembers::~CudaMembers()
{
    for (CudaMember& member : m_members) {
        cudaSetDevice(member.device);
        for (cudaEvent_t event : member.reduced) cudaEventDestroy(event);
        for (cudaStream_t stream : {member.reduce, member.gather}) cudaStreamDestroy(stream);
        for (float* buffer : {member.from, member.into, member.sums}) cudaFree(buffer);
    }
}

void CudaMembers::fill(std::size_t member, const std::vector<float>& values)
{
    check(cudaSetDevice(m_members[member].device), "cudaSetDevice");
    check(cudaMemcpy(m_members[member].from, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
}

std::vector<float> CudaMembers::sums(std::size_t member, std::size_t elements) const
{
    std::vector<float> values(elements);
    check(cudaSetDevice(m_members[member].device), "cudaSetDevice");
    check(cudaMemcpy(values.data(), m_members[member].into, elements * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
}

void CudaMembers::synchronize() const
{
    for (const CudaMember& member : m_members) {
        check(cudaSetDevice(member.device), "cudaSetDevice");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
}

}  // namespace flowgauge::workloads::allreduce
