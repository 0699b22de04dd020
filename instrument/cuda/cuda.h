// SPDX-License-Identifier: MIT
#pragma once

/// What happens on the GPUs of this process, told by CUPTI: as `life` switches it. A process that never runs cuInit pays for two
/// environment variables; everything else begins when the driver calls InitializeInjection.
namespace flowgauge::cuda {

/// Names this library to the CUDA driver and to NVTX, where nobody else is named. Once, in a recorded process with one thread.
void start();

/// On the drain thread, once the process records: says in the ledger when another tool holds the driver's door.
void onStart();

/// The process ends by exit: nothing of CUPTI is called any more, the driver may be gone.
void stop();

/// The process ends at once, without its exit handlers: what CUPTI had not delivered is missing, and the ledger says so.
void noteAbruptEnd();

/// In a child after fork: CUPTI is its parent's. Nothing more is recorded of a GPU if the parent used one.
void forgetAfterFork();

}  // namespace flowgauge::cuda
