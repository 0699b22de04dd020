// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"
#include "collector/store/event_columns.h"
#include "collector/store/flat_index.h"

#include <array>
#include <cstdint>
#include <vector>

namespace flowgauge::store {

/// Sums over the calls of one kind with one name. Durations in ns; an event whose end lies before its begin counts as 0.
struct NameStat {
    std::int64_t calls = 0, failed = 0, bytes = 0, totalNs = 0;
    std::int64_t shortestNs = INT64_MAX, longestNs = 0;
    std::array<std::uint32_t, 64> byLog2{};  ///< calls by bit_width(ns): [0] 0 ns, [1] 1 ns, [2] 2-3 ns, [11] 1024-2047 ns

    NameStat& operator+=(const NameStat& other);
};

/// The statistics of one track between two flushes, by kind and name.
class NameStats {
public:
    void add(const EventColumns& events);
    [[nodiscard]] bool empty() const { return m_stats.empty(); }

    /// Adds to the rows of name_stat and forgets.
    void write(Database& database, std::int64_t track);

private:
    FlatIndex m_index;  ///< of kindNameKey
    std::vector<NameStat> m_stats;
};

}  // namespace flowgauge::store
