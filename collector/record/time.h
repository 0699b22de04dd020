// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace flowgauge {

/// Nanoseconds. After ingest: since the run's zero (meta.t_zero), the only time that offline rooms know.
using Nanos = std::int64_t;

/// What the injected clock counts: TSC cycles or MONOTONIC nanoseconds. Meaningless without the anchors of the same process.
using Ticks = std::uint64_t;

/// A half-open piece of time [begin, end). Empty when end <= begin.
struct Interval {
    Nanos begin = 0;
    Nanos end = 0;

    [[nodiscard]] constexpr Nanos length() const { return end > begin ? end - begin : 0; }
    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
    [[nodiscard]] constexpr bool contains(Nanos t) const { return begin <= t && t < end; }
    [[nodiscard]] constexpr bool overlaps(const Interval& other) const { return begin < other.end && other.begin < end; }
    friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace flowgauge
