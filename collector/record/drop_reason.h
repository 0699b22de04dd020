// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge {

/// Why something that happened was not recorded. Counted per thread or process, stored, and shown in every report.
enum class DropReason : std::uint8_t {
#define FLOWGAUGE_DROP(enumerator, sqlName, sentence) enumerator,
#include "collector/record/drop_reasons.def"
#undef FLOWGAUGE_DROP
};

/// A reason's row of drop_reasons.def.
struct DropReasonRow {
    DropReason reason;
    std::string_view sqlName;
    std::string_view sentence;
};

inline constexpr std::array dropReasonRows{
#define FLOWGAUGE_DROP(enumerator, sqlName, sentence) DropReasonRow{DropReason::enumerator, #sqlName, sentence},
#include "collector/record/drop_reasons.def"
#undef FLOWGAUGE_DROP
};
inline constexpr std::size_t dropReasonCount = dropReasonRows.size();

}  // namespace flowgauge
