// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/cuda/device.h"
#include "workloads/allreduce/method.h"

#include <array>

namespace flowgauge::workloads::allreduce {

/// A group whose members are buffers on GPUs that read each other's memory. Its three stages run on streams of their own; sums that other
/// groups add to go through pinned memory.
class GpuGroup final : public MemberBuffers, public Group {
public:
    GpuGroup(const Shape& shape, std::span<const std::size_t> devices, bool inPlace);
    [[nodiscard]] Group& group() override { return *this; }
    void resize(std::size_t elements) override;
    void fill(std::size_t local, std::span<const float> values) override { m_members[local].buffers.fill(values); }
    [[nodiscard]] std::vector<float> sums(std::size_t local) const override { return m_members[local].buffers.sums(); }

    void reduce(const Part& part) override;
    [[nodiscard]] std::span<float> sums(const Part& part) override;
    void exchanged(const Part& part) override;
    void gather(std::span<const Part> parts, std::size_t reader) override;

private:
    struct Member {
        DeviceMember buffers;
        Stream reducing, exchanging, gathering;
        std::array<DeviceFloats, pipelineDepth> sums;
        std::array<PinnedFloats, pipelineDepth> staged;  ///< where there are other groups
    };
    std::vector<Member> m_members;
    bool m_inPlace;
};

}  // namespace flowgauge::workloads::allreduce
