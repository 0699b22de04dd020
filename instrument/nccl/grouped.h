// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/communicators.h"
#include "instrument/nccl/operation.h"

/// The program's own groups (ncclGroupStart to ncclGroupEnd), as seen from in front of NCCL: nothing of a group runs before its
/// outermost end.
namespace flowgauge::nccl::grouped {

void enter();
void leave(Ticks end, int result);

/// An operation was called: recorded at once outside of groups, with its group inside.
void add(Context& context, Operation operation, int result);

/// A communicator whose handle NCCL writes at the latest when the group ends.
struct Promised {
    const Word* comm;
    communicators::Members members;
    std::uint64_t before;
};
void promise(const Promised& made);

/// In a child after fork.
void forget();

}  // namespace flowgauge::nccl::grouped
