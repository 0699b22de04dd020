// SPDX-License-Identifier: MIT
#pragma once
#include "collector/spool/format.h"

#include <cstddef>
#include <string_view>

/// What a process can say about itself without asking anybody but the kernel.
namespace flowgauge::buffer {

/// The header page but for runId: who, where, since when. chooseClock() came before.
[[nodiscard]] spool::SpoolHeader describeProcess();

/// True for a variable ("NAME=value") that tells about the job: ranks, devices, threads, settings of its libraries.
[[nodiscard]] bool isOfInterest(std::string_view assignment);

/// Fills `into` with the texts of the Environment chunk: exe, cwd, argv, variables of interest; whole texts only.
/// Returns the bytes, padded to whole slots with zeros. `room` is a multiple of the slot's size.
[[nodiscard]] std::size_t describeEnvironment(char* into, std::size_t room);

}  // namespace flowgauge::buffer
