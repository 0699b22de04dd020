// SPDX-License-Identifier: MIT
#pragma once

namespace flowgauge::buffer {

/// Starts a detached thread of ours, with all signals blocked: no handler of the program ever runs on it. Its stack is small where
/// the C library allows it. False when there is no thread to be had.
[[nodiscard]] bool startOwnThread(void* (*enter)(void*), void* argument);

}  // namespace flowgauge::buffer
