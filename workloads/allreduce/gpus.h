// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/bench.h"

#include <functional>

namespace flowgauge::workloads::allreduce {

/// Whether this is the program that was built with CUDA. In the other the rest of this page throws.
[[nodiscard]] bool builtForGpus();

/// The GPUs that CUDA shows this process: NVLink makes groups, peer access is enough where a size is asked for.
[[nodiscard]] std::unique_ptr<Backend> gpuBackend();

/// NCCL's sum, one member a device. `fromFirst` hands rank 0's bytes to all ranks.
[[nodiscard]] std::unique_ptr<Method> ncclMethod(Place place, std::span<const std::size_t> devices, bool inPlace,
                                                 const std::function<void(std::span<char>)>& fromFirst);

}  // namespace flowgauge::workloads::allreduce
