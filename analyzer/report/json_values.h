// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/measured.h"

#include <nlohmann/json.hpp>

namespace flowgauge::report {

using Json = nlohmann::ordered_json;  ///< keeps the order in which a reader wants to see it

/// The value, or {"not_measured": why}.
template <typename T>
[[nodiscard]] Json jsonOf(const Measured<T>& value)
{
    return value.known() ? Json(value.value()) : Json{{"not_measured", value.reason()}};
}

}  // namespace flowgauge::report
