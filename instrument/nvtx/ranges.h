// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nvtx/abi.h"
#include "instrument/nvtx/texts.h"

#include <cstdint>
#include <string_view>

/// What the handlers do: open ranges of a thread on a small stack of its own, ranges that any thread may end in a fixed table.
namespace flowgauge::nvtx {

/// Ranges that one thread may have open at once, and ranges begun by nvtxRangeStart in the whole process; more are lost (TableFull).
inline constexpr std::uint32_t deepest = 64;
inline constexpr std::uint32_t mostStarted = 4096;

/// What a range is begun with.
struct Given {
    Known text;
    std::int64_t payload = 0;  ///< a number the program attached; bytes for an operation of NCCL
    std::uint32_t category = 0;
};
[[nodiscard]] Given givenBy(const void* domain, const Attributes* attributes);

/// Returns the level within the domain before it, as NVTX's push does; -2 where it could not be kept (NVTX_NO_PUSH_POP_TRACKING).
int push(const void* domain, const Given& given);
/// Ends the innermost range of that domain on this thread; an end without its begin is counted (Unbalanced).
int pop(const void* domain);
/// Returns the number by which stop() ends it; 0 where it could not be kept.
[[nodiscard]] std::uint64_t startRange(const void* domain, const Given& given);
void stopRange(std::uint64_t number);
void mark(const void* domain, const Given& given);

/// A handle for a domain; nullptr, the default one, where there are too many.
[[nodiscard]] const void* domainOf(std::string_view name);

void forgetRanges();

}  // namespace flowgauge::nvtx
