// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/handle.h"

/// Another profiler plugin that the user has named: it is called beside us, with its own handles and its own mask, as NCCL would call it.
namespace flowgauge::nccl::theirs {

/// Its name, as the user gave it; "" where there is none. Set before the first communicator.
void setName(const char* name);

/// Its table for a version of the interface, a `abi::vN::Table`; nullptr when there is no other plugin or it lacks that version, which
/// the run's ledger says. Loads it at the first call.
[[nodiscard]] void* table(int version);

/// What NCCL holds in place of a handle while both plugins are called.
struct Pair {
    Handle ours;
    void* theirs;
};
/// A number for both. It stands for them until 65,536 more were made, long after their end: children come late.
[[nodiscard]] Handle join(Pair pair);
/// {given, nullptr} for a number that is no pair of ours.
[[nodiscard]] Pair split(const void* given);

/// In a child after fork, and for tests.
void forget();

}  // namespace flowgauge::nccl::theirs
