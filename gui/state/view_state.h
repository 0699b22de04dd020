// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <optional>
#include <string>
#include <vector>

namespace flowgauge::state {

inline constexpr std::size_t mostMarks = 9;

/// What the window shows of a run: one value, obeyed by every view. Nothing of it is ever written into the run.
struct ViewState {
    std::string view;                   ///< id of the view in front, as in views.cpp
    std::optional<Interval> window;     ///< shown run time; none: the whole run
    std::optional<Interval> selection;  ///< the marked piece of run time that statistics are about
    std::vector<int> ranks;             ///< in order; empty: all
    std::string search;                 ///< of the timeline
    std::vector<Nanos> marks;           ///< places to come back to, by number, at most `mostMarks`
    friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// The window in which `selection` is seen with some time around it, within `whole`.
[[nodiscard]] Interval framed(Interval selection, Interval whole);

/// A window of the same length (at least `shortest`, at most the whole) that lies inside `whole`.
[[nodiscard]] Interval kept(Interval window, Interval whole, Nanos shortest = 100);

/// The marks with one more, or with one less where one lies within `reach`; nothing where there would be too many.
[[nodiscard]] std::optional<std::vector<Nanos>> marked(std::vector<Nanos> marks, Nanos at, Nanos reach);

/// Whether a rank is among those the state is about.
[[nodiscard]] bool shows(const ViewState& state, int rank);

}  // namespace flowgauge::state
