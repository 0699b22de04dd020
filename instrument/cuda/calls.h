// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

/// The calls of the CUDA runtime and driver that are worth a record, by CUPTI's numbers, which keep their meaning from 11.2 to 13.0:
/// what launches, copies, fills, allocates and waits. The others come by the thousand a step (cudaGetDevice, cudaGetLastError ...).
namespace flowgauge::cuda {

inline constexpr std::array<std::uint32_t, 19> runtimeCalls{20,    // cudaMalloc
                                                            22,    // cudaFree
                                                            27,    // cudaHostAlloc
                                                            31,    // cudaMemcpy
                                                            41,    // cudaMemcpyAsync
                                                            51,    // cudaMemsetAsync
                                                            131,   // cudaStreamSynchronize
                                                            135,   // cudaEventRecord
                                                            137,   // cudaEventSynchronize
                                                            147,   // cudaStreamWaitEvent
                                                            152,   // cudaHostRegister
                                                            161,   // cudaMemcpyPeerAsync
                                                            165,   // cudaDeviceSynchronize
                                                            211,   // cudaLaunchKernel
                                                            214,   // cudaLaunchKernel_ptsz
                                                            284,   // cudaLaunchHostFunc
                                                            311,   // cudaGraphLaunch
                                                            373,   // cudaMallocAsync
                                                            430};  // cudaLaunchKernelExC

inline constexpr std::array<std::uint32_t, 14> driverCalls{17,    // cuCtxSynchronize
                                                           121,   // cuEventSynchronize
                                                           126,   // cuStreamSynchronize
                                                           277,   // cuMemcpyHtoDAsync_v2
                                                           279,   // cuMemcpyDtoHAsync_v2
                                                           295,   // cuStreamWaitEvent
                                                           307,   // cuLaunchKernel
                                                           442,   // cuLaunchKernel_ptsz
                                                           477,   // cuLaunchCooperativeKernel
                                                           514,   // cuGraphLaunch
                                                           515,   // cuGraphLaunch_ptsz
                                                           652,   // cuLaunchKernelEx
                                                           653,   // cuLaunchKernelEx_ptsz
                                                           776};  // cuMemcpyBatchAsync

template <std::size_t count>
[[nodiscard]] constexpr bool holds(const std::array<std::uint32_t, count>& calls, std::uint32_t id)
{
    for (const std::uint32_t call : calls)
        if (call == id) return true;
    return false;
}

}  // namespace flowgauge::cuda
