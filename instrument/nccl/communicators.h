// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/call.h"
#include "instrument/nccl/contexts.h"

/// The communicators that a program made by calls we stand in front of, by NCCL's handle.
namespace flowgauge::nccl::communicators {

struct Members {
    std::uint64_t hash;
    std::uint32_t ranks;
    std::int64_t rank;
};

/// True when the copy of NCCL behind `caller` tells its profiler plugin what happens, and did so for a communicator made when `before`
/// were open: what it tells is not told again.
[[nodiscard]] bool isCovered(std::uint64_t before, const void* caller);

/// A communicator was made. before: plugin::opened() before the call.
void add(Word comm, const Members& members, std::uint64_t before);
/// Where its operations are to be recorded by us; nullptr when the plugin tells them, or nothing can be known of it.
[[nodiscard]] Context* toRecord(Word comm, const void* caller);
/// A child of the communicator, made by a split: the same on all ranks of one color.
[[nodiscard]] std::uint64_t childHash(Word parent, std::int64_t color, const void* caller);
void forget(Word comm);
void forgetAll();

/// A hash of bytes that all ranks hold.
[[nodiscard]] std::uint64_t hashOf(const void* bytes, std::size_t size, std::uint64_t seed = 0);

}  // namespace flowgauge::nccl::communicators
