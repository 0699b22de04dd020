// SPDX-License-Identifier: MIT
#include "workloads/allreduce/cuda/devices.cuh"

#include <nccl.h>
#include <chrono>

namespace flowgauge::workloads::allreduce {
namespace {

void check(ncclResult_t result, const char* call)
{
    if (result != ncclSuccess) throw std::runtime_error(std::string(call) + ": " + ncclGetErrorString(result));
}

/// One communicator a member, kept for all sizes.
std::vector<ncclComm_t>& communicators(const std::vector<CudaMember>& members)
{
    static std::vector<ncclComm_t> all;
    if (!all.empty()) return all;
    std::vector<int> devices;
    for (const CudaMember& member : members) devices.push_back(member.device);
    all.resize(members.size());
    check(ncclCommInitAll(all.data(), static_cast<int>(all.size()), devices.data()), "ncclCommInitAll");
    return all;
}

}  // namespace

double sumByNccl(CudaMembers& members, std::size_t elements)
{
    std::vector<ncclComm_t>& all = communicators(members.all());
    members.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    check(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const CudaMember& member = members.all()[i];
        check(ncclAllReduce(member.from, member.into, elements, ncclFloat32, ncclSum, all[i], member.reduce), "ncclAllReduce");
    }
    check(ncclGroupEnd(), "ncclGroupEnd");
    members.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace flowgauge::workloads::allreduce
