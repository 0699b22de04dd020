// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"
#include "gui/timeline/bars.h"
#include "gui/timeline/row.h"
#include "gui/timeline/strip.h"

namespace flowgauge::load {

/// A row over a frame: from tiles where they are fine enough, from the facts, or from counter samples. On a data thread.
[[nodiscard]] timeline::Strip stripOf(store::RunStore& store, const RunSnapshot& run, const timeline::Row& row,
                                      const timeline::StripFrame& frame);

/// An event with what is told and shown of it.
[[nodiscard]] timeline::Bar barOf(store::RunStore& store, store::Id track, const store::StoredEvent& event);

/// Single events of a row, in order of begin, at most `most` of them; lanes are assigned.
struct RowBars {
    Interval window;
    std::vector<timeline::Bar> bars;
    int lanes = 1;
    bool all = true;  ///< false: there were more
};
[[nodiscard]] RowBars barsOf(store::RunStore& store, const timeline::Row& row, Interval window, std::size_t most, const Cancel& cancel);

/// An event's name as it is read; its kind's where it has none.
[[nodiscard]] std::string nameText(store::RunStore& store, Kind kind, store::Id name);

}  // namespace flowgauge::load
