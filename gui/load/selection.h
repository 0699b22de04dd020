// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"
#include "gui/timeline/bars.h"
#include "gui/timeline/selection_stats.h"

#include <optional>
#include <string>

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

/// The next event (the one before) whose name or kind holds all words of a text, from a time on.
struct Hit {
    store::Id track = 0;
    timeline::Bar bar;
};
struct SearchQuestion {
    std::vector<store::Id> tracks;
    std::string text;
    Nanos from = 0;
    bool forward = true;
    Interval whole;
};
[[nodiscard]] std::optional<Hit> findEvent(store::RunStore& store, const SearchQuestion& question, const Cancel& cancel);

}  // namespace flowgauge::load
