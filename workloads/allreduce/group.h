// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/shape.h"

#include <array>
#include <span>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// Chunks under way at once: one in each stage.
inline constexpr std::size_t pipelineDepth = 3;

/// One owner's slice of a chunk, and which of its places for sums that chunk has.
struct Part {
    std::size_t owner = 0, place = 0;
    Range slice;
};

/// The members of one group: who adds and copies, a processor or GPUs. When is the schedule's (grouped.h): it has a thread for each stage,
/// and one at a time calls for a part. A call returns when its work is done, and throws when that failed.
class Group {
public:
    virtual ~Group() = default;
    /// Adds the slice of all members' values, in the order of members, into the owner's sums.
    virtual void reduce(const Part& part) = 0;
    /// These sums in memory that the exchange between groups may read and write ...
    [[nodiscard]] virtual std::span<float> sums(const Part& part) = 0;
    /// ... and back to where members read them, once the other groups' are in.
    virtual void exchanged(const Part& part) = 0;
    /// Copies the owners' sums of one chunk into the result of `reader`.
    virtual void gather(std::span<const Part> parts, std::size_t reader) = 0;
};

/// The CPU reference: members are buffers of this process.
class HostGroup final : public Group {
public:
    explicit HostGroup(const Shape& shape);
    /// One buffer a member, all of the same length; `into` may be `from`. They are used until the run is over.
    void use(std::span<const std::span<const float>> from, std::span<const std::span<float>> into);

    void reduce(const Part& part) override;
    [[nodiscard]] std::span<float> sums(const Part& part) override;
    void exchanged(const Part&) override {}
    void gather(std::span<const Part> parts, std::size_t reader) override;

private:
    std::array<std::vector<std::vector<float>>, pipelineDepth> m_sums;  ///< by place and owner
    std::span<const std::span<const float>> m_from;
    std::span<const std::span<float>> m_into;
};

}  // namespace flowgauge::workloads::allreduce
