// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/stored_event.h"
#include "gui/timeline/time_scale.h"
#include "gui/timeline/tone.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::timeline {

/// A single event as a bar.
struct Bar {
    store::StoredEvent event{};
    store::Id track = 0;
    std::string name;         ///< of the file, kernel, phase; or the kind's own
    std::int64_t bytes = -1;  ///< -1: it has none
    Tone tone = Tone::None;
    std::uint8_t shade = 0;
    int lane = 0;  ///< that true overlap needs; 0 is the top

    [[nodiscard]] Interval when() const { return {event.begin, event.end}; }
};

/// Whether one belongs to the other, as a launch to its kernel. Links are numbers of one process: both have to be the same rank's.
[[nodiscard]] inline bool areTied(const Bar& one, const Bar& other) { return one.event.link != 0 && one.event.link == other.event.link; }

/// Gives bars that overlap lanes of their own, so that none hides another. Bars in order of begin. Returns the number of lanes.
int assignLanes(std::vector<Bar>& bars, int mostLanes = 8);

/// Which bar is under a pixel: of those within `reachPx`, the one inside which x lies, the shortest of several; else the nearest.
/// -1: none.
[[nodiscard]] int barAt(const std::vector<Bar>& bars, const TimeScale& scale, double x, int lane, double reachPx = 2);

}  // namespace flowgauge::timeline
