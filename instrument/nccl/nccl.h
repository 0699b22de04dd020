// SPDX-License-Identifier: MIT
#pragma once

/// NCCL, seen in three ways: as its profiler plugin (2.23 and later), in front of its functions (where they can be reached), and where
/// neither is, not at all. Each row of a run says which way it came.
namespace flowgauge::nccl {

/// Takes NCCL's profiler slot for this process and its children, unless the user has switched it off. Called once at the start,
/// while the process has one thread; changes one environment variable and nothing else.
void start();

/// The process ends: what NCCL began and did not end is recorded as incomplete. Recording must still be on.
void finish();

/// In a child after fork: nothing of the parent's communicators is known. Callable only while the child has one thread.
void forgetAfterFork();

}  // namespace flowgauge::nccl
