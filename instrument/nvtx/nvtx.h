// SPDX-License-Identifier: MIT
#pragma once

/// NVTX ranges and marks, taken by an own handler: it needs neither CUPTI nor a GPU. As `life` switches it.
namespace flowgauge::nvtx {

/// Names this library to NVTX where nobody else is named. Once, in a recorded process with one thread.
void start();

/// On the drain thread, once the process records: says in the ledger when another tool holds NVTX's door.
void onStart();

/// In a child after fork: open ranges are its parent's.
void forgetAfterFork();

}  // namespace flowgauge::nvtx
