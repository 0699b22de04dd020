// SPDX-License-Identifier: MIT
#include "collector/store/histogram.h"

#include <algorithm>
#include <cstring>

namespace flowgauge::store {

std::vector<std::uint8_t> packHistogram(const Histogram& bins)
{
    const auto used = [](std::uint32_t count) { return count != 0; };
    const auto first = std::find_if(bins.begin(), bins.end(), used);
    const auto last = std::find_if(bins.rbegin(), bins.rend(), used).base();
    if (first == bins.end()) return {0};
    const auto count = static_cast<std::size_t>(last - first);
    std::vector<std::uint8_t> packed(1 + 4 * count);
    packed[0] = static_cast<std::uint8_t>(first - bins.begin());
    std::memcpy(packed.data() + 1, &*first, 4 * count);
    return packed;
}

Histogram unpackHistogram(std::span<const std::uint8_t> packed)
{
    Histogram bins{};
    if (packed.empty() || packed[0] >= bins.size()) return bins;
    const std::size_t room = bins.size() - packed[0];
    const std::size_t count = std::min(room, (packed.size() - 1) / 4);
    std::memcpy(bins.data() + packed[0], packed.data() + 1, 4 * count);
    return bins;
}

}  // namespace flowgauge::store
