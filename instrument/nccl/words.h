// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"

#include <cstdint>
#include <string_view>

/// NCCL's words and numbers in our vocabulary. A word may be nullptr: NCCL's own conversions between versions leave some out.
namespace flowgauge::nccl {

/// What kind of event an operation is; Kind::None for one that this build does not know.
[[nodiscard]] Kind kindOf(const char* func);
[[nodiscard]] Kind kindOf(std::uint8_t func);

/// Bytes of one element; 0 for a type that this build does not know. Numbers are those of ncclDataType_t.
[[nodiscard]] std::uint64_t bytesOf(const char* type);
[[nodiscard]] std::uint64_t bytesOf(std::uint8_t type);

/// The algorithm's name as a key of this process's spool; "not known" where there is none.
[[nodiscard]] NameKey algorithmOf(const char* word);
[[nodiscard]] NameKey algorithmOf(std::uint8_t number);
/// How the copy engines of v6 meet each other: "MC" or "UC".
[[nodiscard]] NameKey copyEngineOf(const char* strategy);

/// 0 LL, 1 LL128, 2 Simple, -1 not known.
[[nodiscard]] std::int64_t protocolOf(const char* word);
[[nodiscard]] std::int64_t protocolOf(std::uint8_t number);

/// In a child after fork: the names are the parent's.
void forgetWords();

}  // namespace flowgauge::nccl
