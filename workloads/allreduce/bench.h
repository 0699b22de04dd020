// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/method.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// What the benchmark was asked for.
struct Options {
    std::string algorithm = "grouped";  ///< mpi, grouped, nccl
    std::string backend = "cpu";        ///< cpu, cuda
    std::size_t members = 4;            ///< of a process; virtual where several share a device
    std::size_t groupSize = 0;          ///< 0: what the links between devices make of it
    std::uint64_t leastBytes = 4 << 10, mostBytes = 16 << 20;
    std::uint64_t chunkBytes = 1 << 20;
    int iterations = 5;
    bool inPlace = false, overlap = true;
    std::uint64_t deadlineMs = 10'000;
    std::string ledger;  ///< file of the books; %r: the rank
};

/// A process's place among those of the job.
struct Place {
    std::size_t rank = 0, ranks = 1;
};

/// One size, measured and checked.
struct Line {
    std::uint64_t bytes = 0;
    double seconds = 0;                           ///< the median of one operation
    double reduce = 0, exchange = 0, gather = 0;  ///< seconds of the stages of the last operation, this process's members together
    std::string wrong;                            ///< "" when every sum was right to the bit
};

/// Bytes a second of the data, and of what a flat network would have to carry for it (as nccl-tests define both). n: members.
[[nodiscard]] double algorithmBandwidth(const Line& line);
[[nodiscard]] double busBandwidth(const Line& line, std::size_t members);

/// A member's values: small integers, so that sums are exact in whatever order and every element and member differs.
void fillValues(std::span<float> values, std::size_t member, std::uint32_t round);
/// What stands in the sum of so many members at an element.
[[nodiscard]] float expectedSum(std::size_t element, std::size_t members, std::uint32_t round);

/// So many operations of one size, each with other values and every sum looked at.
[[nodiscard]] Line measure(Method& method, Place place, std::uint64_t bytes, int iterations);

/// 4 KiB, 16 KiB, ... up to the most, which is always the last.
[[nodiscard]] std::vector<std::uint64_t> sizesOf(const Options& options);

/// What one operation of each size moves over each link, times the operations.
[[nodiscard]] LinkTable linksOf(const Shape& shape, const Options& options);

/// The books as JSON: shape, operations, and bytes by link.
[[nodiscard]] std::string booksOf(const Options& options, const Shape& shape, std::size_t nodes);

}  // namespace flowgauge::workloads::allreduce
