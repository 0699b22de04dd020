// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

namespace flowgauge::facts {

/// What a kernel's name says it is for. Of a communication kernel's name only this is evidence: algorithm, protocol and
/// operation in it are those of the one variant that NCCL compiles, whatever runs.
enum class KernelClass : std::uint8_t { Compute, Communication, Unclear };  // Unclear: speaks of NCCL, and no form of it is known

/// Names of all eras, mangled or not: ncclAllReduceRingLLKernel_sum_f32 (2.4 to 2.7), ncclKernel_AllReduce_RING_LL_Sum_float (2.8 to
/// 2.18), ncclDevKernel_... (2.19), ncclSymDevKernel_... (2.27), ncclSymkDevKernel_... (2.28); RCCL and MSCCL; HCCL.
[[nodiscard]] KernelClass classOf(std::string_view kernelName);

}  // namespace flowgauge::facts
