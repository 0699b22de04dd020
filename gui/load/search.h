// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"
#include "gui/timeline/bars.h"
#include "gui/timeline/event_filter.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace flowgauge::load {

/// The next event that a filter admits (the one before), from a time on.
struct Hit {
    store::Id track = 0;
    timeline::Bar bar;
};
struct SearchQuestion {
    std::vector<store::Id> tracks;
    timeline::EventFilter filter;
    Nanos from = 0;
    bool forward = true;
    Interval whole;
};
[[nodiscard]] std::optional<Hit> findEvent(store::RunStore& store, const SearchQuestion& question, const Cancel& cancel);

/// How many events of the whole run a filter admits, and in which slices of it they begin.
struct HitCount {
    static constexpr std::size_t slices = 400;
    std::int64_t count = 0;
    std::array<std::uint32_t, slices> bySlice{};
    bool whole = true;  ///< false: it was cancelled on the way
};
[[nodiscard]] HitCount countEvents(store::RunStore& store, const SearchQuestion& question, const Cancel& cancel);

/// The tracks of the ranks that a filter admits.
[[nodiscard]] std::vector<store::Id> tracksFor(const RunSnapshot& run, const timeline::EventFilter& filter,
                                               const std::vector<store::Id>& shown);

}  // namespace flowgauge::load
