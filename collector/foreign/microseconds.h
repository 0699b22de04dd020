// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <optional>
#include <string_view>

namespace flowgauge::foreign {

/// "1712195495505583.25" (microseconds as a trace writes them: whole, with a fraction, or with an exponent) as ns, rounded to
/// the nearest. Never by way of a double, which holds today's microseconds only to a quarter. Nothing where it is no number or
/// does not fit.
[[nodiscard]] std::optional<Nanos> nanosOf(std::string_view microseconds);

/// The first whole number in a text: "stream 7" is 7, "-1" is -1. Nothing where there is none.
[[nodiscard]] std::optional<std::int64_t> numberIn(std::string_view text);

}  // namespace flowgauge::foreign
