// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"
#include "gui/timeline/selection_stats.h"

#include <string>
#include <vector>

namespace flowgauge::load {

struct NamedSum {
    timeline::NameSum sum;
    std::string name;
};

/// What happened on some tracks in a piece of time. Decodes all of it: ask it with a token.
struct SelectionAnswer {
    Interval selection;
    std::vector<NamedSum> sums;
    bool whole = true;  ///< false: it was cancelled on the way
};
[[nodiscard]] SelectionAnswer selectionOf(store::RunStore& store, const std::vector<store::Id>& tracks, Interval selection,
                                          const Cancel& cancel);

}  // namespace flowgauge::load
