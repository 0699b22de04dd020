// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"
#include "collector/store/event_columns.h"
#include "collector/store/flat_index.h"
#include "collector/store/histogram.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace flowgauge::timeline {

/// Durations in classes of 1/16 of a power of two: percentiles are within 5 % of the truth, whatever the number of events.
class DurationHistogram {
public:
    void add(Nanos duration);
    DurationHistogram& operator+=(const DurationHistogram& other);
    /// share 0..1; the middle of the class; 0 without any.
    [[nodiscard]] Nanos percentile(double share) const;
    /// Counts by bit_width(ns), as name_stat keeps them: exact.
    [[nodiscard]] store::Histogram byLog2() const;

private:
    std::array<std::uint32_t, std::size_t{64} * 16> m_classes{};
    std::uint64_t m_count = 0;
};

/// Stands for all names beyond the first few thousand.
inline constexpr store::Id otherNames = -1;

/// Sums of what has one kind and one name.
struct NameSum {
    Kind kind = Kind::None;
    store::Id name = 0;
    std::int64_t count = 0, bytes = 0;
    Nanos total = 0;               ///< within the selection
    Nanos whole = 0, longest = 0;  ///< of whole durations, as the percentiles
    DurationHistogram durations;

    NameSum& operator+=(const NameSum& other);  ///< of the same kind and name
};

/// What happened in a selection, by kind and name. Events may come in any order.
class SelectionStats {
public:
    explicit SelectionStats(Interval selection) : m_selection(selection) {}
    /// Takes the events of a batch that lie in the selection; samples of counters are none.
    void add(const store::EventColumns& batch);
    /// What another one counted of the same selection.
    SelectionStats& operator+=(const SelectionStats& other);
    /// Most time first.
    [[nodiscard]] std::vector<NameSum> sums() const;

private:
    [[nodiscard]] std::size_t placeOf(Kind kind, store::Id name);
    [[nodiscard]] std::size_t newPlace(Kind kind, store::Id name);

    Interval m_selection;
    store::FlatIndex m_index;
    std::vector<std::size_t> m_places;  ///< in m_sums, by number in the index
    std::deque<NameSum> m_sums;         ///< they stay where they are
};

/// Row id of the event's name, 0 when its kind has none; its bytes, -1 when its kind has none.
[[nodiscard]] store::Id nameOf(const store::StoredEvent& event);
[[nodiscard]] std::int64_t bytesOf(const store::StoredEvent& event);

}  // namespace flowgauge::timeline
