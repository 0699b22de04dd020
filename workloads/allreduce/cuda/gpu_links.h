// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/grouping.h"

namespace flowgauge::workloads::allreduce {

/// GPUs that may read each other's memory, both ways.
[[nodiscard]] DeviceLinks peerAccess();

/// Those of them that NVLink joins, directly or through switches, as NVML says; where it cannot be asked, those whose link carries atomics,
/// which PCIe does not. Throws when there is no GPU.
[[nodiscard]] DeviceLinks nvLinks();

}  // namespace flowgauge::workloads::allreduce
