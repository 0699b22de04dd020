// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/grouped.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// What the benchmark was asked for.
struct Options {
    std::string algorithm = "grouped";  ///< mpi, grouped, nccl
    std::string backend = "cpu";        ///< cpu, cuda
    std::size_t groupSize = 4;          ///< virtual members a process
    std::uint64_t leastBytes = 4 << 10, mostBytes = 16 << 20;
    std::uint64_t chunkBytes = 1 << 20;
    int iterations = 5;
    bool inPlace = false, overlap = true;
    std::uint64_t deadlineMs = 10'000;
    std::string ledger;  ///< file of the books; %r: the rank
};

/// One size, measured and checked.
struct Line {
    std::uint64_t bytes = 0;
    double seconds = 0;                           ///< the median of one operation
    double reduce = 0, exchange = 0, gather = 0;  ///< seconds of the stages of that operation, all members together
    std::string wrong;                            ///< "" when every sum was right to the bit
};

/// Bytes a second of the data, and of what a flat network would have to carry for it (as nccl-tests define both). n: members.
[[nodiscard]] double algorithmBandwidth(const Line& line);
[[nodiscard]] double busBandwidth(const Line& line, std::size_t members);

/// A member's values: small integers, so that sums are exact in whatever order and every element and member differs.
void fillValues(std::span<float> values, std::size_t member, std::uint32_t round);
/// What stands in the sum of so many members at an element.
[[nodiscard]] float expectedSum(std::size_t element, std::size_t members, std::uint32_t round);

/// One process's part of the grouped benchmark: its buffers and its books.
class GroupedBench {
public:
    GroupedBench(const Options& options, NodeLink& link);
    [[nodiscard]] Line measure(std::uint64_t bytes);
    /// What all operations so far moved over the links.
    [[nodiscard]] const LinkTable& links() const { return m_links; }
    [[nodiscard]] std::uint64_t operations() const { return m_operations; }

private:
    [[nodiscard]] std::string check(std::size_t elements, std::uint32_t round) const;
    Options m_options;
    NodeLink& m_link;
    Shape m_shape;
    GroupedAllreduce m_engine;
    std::vector<std::vector<float>> m_from, m_into;
    LinkTable m_links;
    std::uint64_t m_operations = 0;
};

/// 4 KiB, 16 KiB, ... up to the most, which is always the last.
[[nodiscard]] std::vector<std::uint64_t> sizesOf(const Options& options);

/// The books as JSON: shape, operations, and bytes by link.
[[nodiscard]] std::string booksOf(const Options& options, std::size_t nodes, std::uint64_t operations, const LinkTable& links);

}  // namespace flowgauge::workloads::allreduce
