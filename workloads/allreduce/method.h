// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/grouped.h"
#include "workloads/allreduce/grouping.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// One way to sum floats over all members of a job: this process's part of it.
class Method {
public:
    virtual ~Method() = default;
    /// Of this process.
    [[nodiscard]] virtual std::size_t members() const = 0;
    virtual void resize(std::size_t elements) = 0;
    virtual void fill(std::size_t member, std::span<const float> values) = 0;
    /// Returns what went wrong, "" when nothing did.
    [[nodiscard]] virtual std::string run() = 0;
    [[nodiscard]] virtual std::vector<float> sums(std::size_t member) const = 0;
    /// Of the last run, where the method has stages.
    [[nodiscard]] virtual StageTimes times() const { return {}; }
};

/// The buffers of one group's members, where a benchmark fills and reads them.
class MemberBuffers {
public:
    virtual ~MemberBuffers() = default;
    [[nodiscard]] virtual Group& group() = 0;
    virtual void resize(std::size_t elements) = 0;
    virtual void fill(std::size_t local, std::span<const float> values) = 0;
    [[nodiscard]] virtual std::vector<float> sums(std::size_t local) const = 0;
};

/// Where members live.
class Backend {
public:
    virtual ~Backend() = default;
    /// The devices of this process, and which of them make one group by themselves.
    [[nodiscard]] virtual DeviceLinks links() const = 0;
    /// Those that can be made one group.
    [[nodiscard]] virtual DeviceLinks reachable() const = 0;
    /// `devices`: one for each member of the group.
    [[nodiscard]] virtual std::unique_ptr<MemberBuffers> buffers(const Shape& shape, std::span<const std::size_t> devices,
                                                                 bool inPlace) = 0;
};

/// One device, which reaches its own memory.
[[nodiscard]] std::unique_ptr<Backend> hostBackend();

struct GroupedSettings {
    std::size_t chunkElements = 1 << 18;
    bool inPlace = false;
    GroupedOptions engine;
};

/// The groups of a process, each with its place in the ring of all.
class GroupedMethod final : public Method {
public:
    GroupedMethod(Backend& backend, const Grouping& grouping, const std::vector<RingLink>& ring, const GroupedSettings& settings);
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    [[nodiscard]] std::size_t members() const override { return m_groups.size() * m_shape.groupSize; }
    void resize(std::size_t elements) override;
    void fill(std::size_t member, std::span<const float> values) override;
    [[nodiscard]] std::string run() override;
    [[nodiscard]] std::vector<float> sums(std::size_t member) const override;
    [[nodiscard]] StageTimes times() const override;

private:
    struct GroupAndEngine {
        std::unique_ptr<MemberBuffers> buffers;
        std::unique_ptr<GroupedAllreduce> engine;
    };
    Shape m_shape;
    std::vector<GroupAndEngine> m_groups;
    std::size_t m_elements = 0;
};

}  // namespace flowgauge::workloads::allreduce
