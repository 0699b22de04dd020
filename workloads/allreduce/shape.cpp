// SPDX-License-Identifier: MIT
#include "workloads/allreduce/shape.h"

#include <algorithm>

namespace flowgauge::workloads::allreduce {

Range partOf(Range whole, std::size_t parts, std::size_t index)
{
    const std::size_t size = whole.size() / parts, larger = whole.size() % parts;
    const std::size_t begin = whole.begin + index * size + std::min(index, larger);
    return {begin, begin + size + (index < larger ? 1 : 0)};
}

Range Shape::chunk(std::size_t elements, std::size_t index) const
{
    return {index * chunkElements, std::min(elements, (index + 1) * chunkElements)};
}

Range Shape::slice(std::size_t elements, std::size_t chunkIndex, std::size_t local) const
{
    return partOf(chunk(elements, chunkIndex), groupSize, local);
}

namespace {

void addGroupLinks(const Shape& shape, Range slice, std::size_t owner, std::size_t group, LinkTable& table)
{
    const std::size_t first = group * shape.groupSize;
    for (std::size_t other = 0; other < shape.groupSize; ++other) {
        if (other == owner || slice.size() == 0) continue;
        table[{first + other, first + owner}] += slice.size() * sizeof(float);
        table[{first + owner, first + other}] += slice.size() * sizeof(float);
    }
}

/// Each group hands every piece but one to the next, twice: in the reduce-scatter all but the one that ends with it (the piece
/// after its own number), in the allgather all but the one that ends before it.
void addRingLinks(const Shape& shape, Range slice, std::size_t owner, LinkTable& table)
{
    for (std::size_t group = 0; group < shape.groups; ++group) {
        const std::size_t next = (group + 1) % shape.groups;
        const std::size_t kept = partOf(slice, shape.groups, next).size(),
                          last = partOf(slice, shape.groups, (group + 2) % shape.groups).size();
        const std::size_t sent = 2 * slice.size() - kept - last;
        if (sent > 0) table[{group * shape.groupSize + owner, next * shape.groupSize + owner}] += sent * sizeof(float);
    }
}

}  // namespace

LinkTable linkTable(const Shape& shape, std::size_t elements)
{
    LinkTable table;
    for (std::size_t chunk = 0; chunk < shape.chunks(elements); ++chunk)
        for (std::size_t owner = 0; owner < shape.groupSize; ++owner) {
            const Range slice = shape.slice(elements, chunk, owner);
            for (std::size_t group = 0; group < shape.groups; ++group) addGroupLinks(shape, slice, owner, group, table);
            if (shape.groups > 1) addRingLinks(shape, slice, owner, table);
        }
    return table;
}

}  // namespace flowgauge::workloads::allreduce
