// SPDX-License-Identifier: MIT
// Stands where nccl_method.cpp does on a machine without NCCL's header.
#include "workloads/allreduce/gpus.h"
#include "workloads/failure.h"

namespace flowgauge::workloads::allreduce {

std::unique_ptr<Method> ncclMethod(Place, std::span<const std::size_t>, bool, const std::function<void(std::span<char>)>&)
{
    throw Failure("--algo nccl", "this program was built without NCCL");
}

}  // namespace flowgauge::workloads::allreduce
