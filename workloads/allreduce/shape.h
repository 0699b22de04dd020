// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// A half-open range of elements.
struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Part `index` of `parts` of a range. Parts differ by at most one element; some are empty where there are fewer elements than parts.
[[nodiscard]] Range partOf(Range whole, std::size_t parts, std::size_t index);

/// Who takes part: equal groups of members that reach each other's memory. Members are numbered group by group.
struct Shape {
    std::size_t groups = 1;
    std::size_t groupSize = 1;
    std::size_t chunkElements = 1 << 18;
    [[nodiscard]] std::size_t members() const { return groups * groupSize; }
    [[nodiscard]] std::size_t chunks(std::size_t elements) const
    {
        return elements == 0 ? 0 : (elements + chunkElements - 1) / chunkElements;
    }
    [[nodiscard]] Range chunk(std::size_t elements, std::size_t index) const;
    [[nodiscard]] std::size_t largestSlice() const { return (chunkElements + groupSize - 1) / groupSize; }
    /// What member `local` of each group owns of a chunk.
    [[nodiscard]] Range slice(std::size_t elements, std::size_t chunkIndex, std::size_t local) const;
};

/// Bytes from one member to another over the link between them.
using LinkTable = std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>;

/// What one grouped allreduce of so many floats moves over each link, to the byte:
///   in a group    the owner of a slice reads it from each other member (A), and each other member reads the sum from it (C);
///   between groups the owners of one slice form a ring: reduce-scatter, then allgather (B).
[[nodiscard]] LinkTable linkTable(const Shape& shape, std::size_t elements);

}  // namespace flowgauge::workloads::allreduce
