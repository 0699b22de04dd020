// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// What the exported functions of mark_calls.def do. The open marks of a thread lie in a small fixed stack of its own.
namespace flowgauge::mark {

/// Marks that one thread may have open at once; deeper ones are lost and counted (TableFull).
inline constexpr std::uint32_t deepest = 16;

void beginEpoch(std::int64_t number);
void beginStep(std::int64_t number);
void beginPhase(const char* name);

/// Records the innermost open mark of that kind and number. samples 0: what addSamples, and the steps inside, have added.
/// Marks that were begun inside it and never ended are closed with it, as incomplete; an end without a begin is ignored. Each is
/// counted (Unbalanced).
void endEpoch(std::int64_t number, std::uint64_t samples);
void endStep(std::int64_t number, std::uint64_t samples);
void endPhase(const char* name);

/// Adds to the innermost open step and the innermost open epoch of this thread.
void addSamples(std::uint64_t count);

/// In a child after fork: forgets the names that the parent's spool holds, and the marks that the parent's thread has open.
/// Callable only while the child has one thread.
void forgetAfterFork();

}  // namespace flowgauge::mark
