// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"
#include "instrument/nvtx/abi.h"
#include "instrument/nvtx/patterns.h"

#include <string_view>

namespace flowgauge::nvtx {

/// A text that a program gave a range, known once and found again: what it means does not change, and it is recorded once.
struct Known {
    NameKey key = 0;  ///< of the range's name; of the phase's where it means one
    Meaning meaning;
    std::string_view text = {};  ///< the name itself, as long as the program keeps it
};

/// The names of ranges. A fixed table: where it is full, names are lost (counted), the ranges are not. Tails that make every name
/// its own (", seq = 4711" of PyTorch's emit_nvtx, and what follows) are cut off. Any thread.
[[nodiscard]] Known knownText(std::string_view text);

/// The same for UTF-32 (wchar_t) texts; `text` may be nullptr.
[[nodiscard]] Known knownWide(const wchar_t* text);

/// A handle for a registered string, which NVTX hands back to us; never nullptr. registeredText(handle) finds it again.
[[nodiscard]] const void* registerText(std::string_view text);
[[nodiscard]] const void* registerWide(const wchar_t* text);
[[nodiscard]] Known registeredText(const void* handle);

/// The key of the name itself, where it means an epoch, a step or a phase: an instant is none of them.
[[nodiscard]] NameKey rangeKey(const Known& known);

/// What the message of an event is.
[[nodiscard]] Known messageOf(const Attributes& attributes);

/// In a child after fork: its own spool knows no names yet; handles stay good.
void forgetTexts();

}  // namespace flowgauge::nvtx
