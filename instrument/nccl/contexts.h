// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/handle.h"

#include <array>
#include <atomic>
#include <string_view>

namespace flowgauge::nccl {

/// A communicator as the profiler interface knows it.
struct Context {
    std::atomic<Handle> handle;  ///< 0 free, 1 being filled
    std::uint32_t age;
    std::atomic<std::uint64_t> comm;   ///< its id, equal on all ranks; 0 before v4 until the first event names it
    std::atomic<std::uint32_t> ranks;  ///< 0: not told
    std::atomic<std::int64_t> rank;
    std::atomic<std::uint64_t> sequence;  ///< collectives so far
    std::atomic<bool> announced;
    int* mask;     ///< NCCL's own, one for each copy of the library
    void* theirs;  ///< what another plugin, called beside us, keeps of this communicator
    /// Calls of v5 of which NCCL has told nothing more (kernels on symmetric memory): recorded when the next call shows that nothing comes.
    std::array<std::atomic<Handle>, 32> waiting;
};

namespace contexts {

/// A place for a new communicator, and the handle that NCCL keeps; nullptr (counted) when there are 1,024 already.
[[nodiscard]] Context* open(Handle& handle);
/// The communicator of a handle, nullptr for any other number: NCCL 2.23 may pass another process's.
[[nodiscard]] Context* find(Handle handle);
[[nodiscard]] inline Context* find(const void* context) { return find(handleOf(context)); }
[[nodiscard]] Context* at(std::uint32_t position);
[[nodiscard]] std::uint32_t positionOf(const Context& context);
void close(Context& context);

/// Takes what is known of a communicator and records it, once.
void announce(Context& context, std::uint64_t hash, std::string_view name);

/// An id as the store keeps it: positive, and never 0, which reads "unknown".
[[nodiscard]] constexpr std::uint64_t idOfHash(std::uint64_t hash)
{
    const std::uint64_t id = hash & ~std::uint64_t{0} >> 1;
    return id != 0 ? id : 1;
}

/// How many communicators were ever opened.
[[nodiscard]] std::uint64_t opened();
/// True in the process that opened some. A child of vfork has its parent's memory, and must not end what the parent has open.
[[nodiscard]] bool openedHere();

void forgetAll();

}  // namespace contexts

}  // namespace flowgauge::nccl
