// SPDX-License-Identifier: MIT
// Stands where cuda/ does in the program that is built without CUDA.
#include "workloads/allreduce/gpus.h"
#include "workloads/failure.h"

namespace flowgauge::workloads::allreduce {

bool builtForGpus() { return false; }

std::unique_ptr<Backend> gpuBackend() { throw Failure("--backend cuda", "this program was built without CUDA"); }

std::unique_ptr<Method> ncclMethod(Place, std::span<const std::size_t>, bool, const std::function<void(std::span<char>)>&)
{
    throw Failure("--backend cuda", "this program was built without CUDA");
}

}  // namespace flowgauge::workloads::allreduce
