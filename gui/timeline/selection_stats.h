// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"
#include "collector/store/stored_event.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flowgauge::timeline {

/// Durations in classes of 1/16 of a power of two: percentiles are within 5 % of the truth, whatever the number of events.
class DurationHistogram {
public:
    void add(Nanos duration);
    /// share 0..1; the middle of the class; 0 without any.
    [[nodiscard]] Nanos percentile(double share) const;

private:
    std::array<std::uint32_t, 64 * 16> m_classes{};
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
};

/// What happened in a selection, by kind and name. Events may come in any order.
class SelectionStats {
public:
    explicit SelectionStats(Interval selection) : m_selection(selection) {}
    void add(const store::StoredEvent& event);
    /// Most time first.
    [[nodiscard]] std::vector<NameSum> sums() const;
    [[nodiscard]] Interval selection() const { return m_selection; }

private:
    struct Hash {
        std::size_t operator()(const std::pair<Kind, store::Id>& key) const
        {
            return static_cast<std::size_t>(key.second) * 64 + static_cast<std::size_t>(key.first);
        }
    };
    Interval m_selection;
    std::unordered_map<std::pair<Kind, store::Id>, NameSum, Hash> m_sums;
};

/// Row id of the event's name, 0 when its kind has none; its bytes, -1 when its kind has none.
[[nodiscard]] store::Id nameOf(const store::StoredEvent& event);
[[nodiscard]] std::int64_t bytesOf(const store::StoredEvent& event);

}  // namespace flowgauge::timeline
