// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// The way from one group to the next in the ring of groups. One thread sends and one receives, one message at a time each; nothing here
/// waits. What is given must stay where it is until sent() or received().
class Channel {
public:
    virtual ~Channel() = default;
    virtual void send(std::span<const float> values, int tag) = 0;
    [[nodiscard]] virtual bool sent() = 0;
    virtual void receive(std::span<float> into, int tag) = 0;
    [[nodiscard]] virtual bool received() = 0;
};

/// A group's place in the ring. One thread of the group uses it.
struct RingLink {
    std::size_t group = 0, groups = 1;
    std::shared_ptr<Channel> toNext, fromPrevious;
    /// Sends to the next group and receives from the one before; either may be empty, as it is on the other side. False when `stop`
    /// became true before it was over.
    [[nodiscard]] bool shift(std::span<const float> outgoing, std::span<float> incoming, int tag, bool (*stop)(const void*),
                             const void* argument) const;
};

/// A ring of groups that are all in this process.
[[nodiscard]] std::vector<RingLink> ringInMemory(std::size_t groups);

/// This process's stretch of a ring that goes through all ranks of MPI_COMM_WORLD, each with as many groups. MPI must be initialised, with
/// threads at least serialized.
[[nodiscard]] std::vector<RingLink> ringOverMpi(std::size_t groupsOfRank);

/// Groups `first` and following of a ring of `groups`, tied to each other by memory; the ends are for others to tie.
[[nodiscard]] std::vector<RingLink> stretchInMemory(std::size_t first, std::size_t count, std::size_t groups);

}  // namespace flowgauge::workloads::allreduce
