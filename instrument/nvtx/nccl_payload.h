// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nvtx/abi.h"

#include <cstring>

namespace flowgauge::nvtx {

/// Bytes of the operation that a range of NCCL's domain tells of (since 2.16), 0 where it tells none. The payload has no description that
/// reaches us without NVTX's payload extension, so its shape is taken from its number and its size: 2.16 to 2.24 begin with the bytes,
/// 2.25 and later with the communicator's hash (src/include/nvtx_payload_schemas.h, src/collectives.cc of those tags).
[[nodiscard]] inline std::uint64_t ncclBytes(const PayloadData& payload)
{
    constexpr std::uint64_t staticSchemas = 1U << 24;
    enum : std::uint64_t { allGather = 4, reduceScatter = 7, recv = 10, allToAll = 16, scatter = 18 };
    const std::uint64_t number = payload.schema - staticSchemas;
    const bool isOperation = (number >= allGather && number <= recv) || (number >= allToAll && number <= scatter);
    if (payload.data == nullptr || payload.schema < staticSchemas || !isOperation) return 0;
    const bool bare = number == allGather || number == allToAll;  // nothing behind the bytes
    const std::size_t withHash = bare ? 16 : 24;
    const std::size_t at = payload.bytes >= withHash ? 8 : 0;
    std::uint64_t bytes = 0;
    if (payload.bytes >= at + sizeof bytes) std::memcpy(&bytes, static_cast<const char*>(payload.data) + at, sizeof bytes);
    return bytes;
}

}  // namespace flowgauge::nvtx
