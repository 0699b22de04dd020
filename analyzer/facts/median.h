// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace flowgauge::facts {

/// The value in the middle, the mean of the two there where their number is even; T{} of none.
template <typename T>
[[nodiscard]] T medianOf(std::vector<T> values)
{
    if (values.empty()) return T{};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace flowgauge::facts
