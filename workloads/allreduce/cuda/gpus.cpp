// SPDX-License-Identifier: MIT
#include "workloads/allreduce/gpus.h"
#include "workloads/allreduce/cuda/gpu_group.h"
#include "workloads/allreduce/cuda/gpu_links.h"

namespace flowgauge::workloads::allreduce {
namespace {

class GpuBackend final : public Backend {
public:
    [[nodiscard]] DeviceLinks links() const override { return nvLinks(); }
    [[nodiscard]] DeviceLinks reachable() const override { return peerAccess(); }
    [[nodiscard]] std::unique_ptr<MemberBuffers> buffers(const Shape& shape, std::span<const std::size_t> devices, bool inPlace) override
    {
        return std::make_unique<GpuGroup>(shape, devices, inPlace);
    }
};

}  // namespace

bool builtForGpus() { return true; }

std::unique_ptr<Backend> gpuBackend() { return std::make_unique<GpuBackend>(); }

}  // namespace flowgauge::workloads::allreduce
