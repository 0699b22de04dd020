// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

namespace flowgauge::buffer {

/// Starts a detached thread of ours, with all signals blocked: no handler of the program ever runs on it. Its stack is small where
/// the C library allows it. False when there is no thread to be had.
[[nodiscard]] bool startOwnThread(void* (*enter)(void*), void* argument);

/// How many such threads there are.
[[nodiscard]] unsigned ownThreads();

/// Processor time of the calling thread.
[[nodiscard]] Nanos threadCpuNs();

/// The drain thread has seen that none but threads of ours is left. The C library ends a process when its last thread returns: each of
/// ours has to look here at least about every second and to return then, or the process would stay for ever.
void noteProgramLeft();
[[nodiscard]] bool programHasLeft();

/// In a child after fork: there are none.
void forgetOwnThreads();

}  // namespace flowgauge::buffer
