// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// How a node exchanges with its neighbours in the ring of nodes. One thread of a node uses it.
class NodeLink {
public:
    virtual ~NodeLink() = default;
    [[nodiscard]] virtual std::size_t node() const = 0;
    [[nodiscard]] virtual std::size_t nodes() const = 0;
    /// Sends to the next node and receives from the one before; either may be empty, as it is on the other side. False when `stop` became
    /// true before it was over.
    [[nodiscard]] virtual bool shift(std::span<const float> toNext, std::span<float> fromPrevious, int tag, bool (*stop)(const void*),
                                     const void* argument) = 0;
};

/// Nodes that are threads of one process, by memory.
[[nodiscard]] std::vector<std::unique_ptr<NodeLink>> memoryLinks(std::size_t nodes);

/// Nodes that are the ranks of MPI_COMM_WORLD; MPI must be initialised, with threads at least serialized.
[[nodiscard]] std::unique_ptr<NodeLink> mpiLink();

}  // namespace flowgauge::workloads::allreduce
