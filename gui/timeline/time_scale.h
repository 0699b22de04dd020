// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <string>
#include <vector>

namespace flowgauge::timeline {

/// A window of run time laid over pixels, and the way between the two. A value: zooming and panning make a new one.
struct TimeScale {
    Interval window;
    double widthPx = 1;

    [[nodiscard]] double nanosPerPx() const { return static_cast<double>(window.length()) / (widthPx > 0 ? widthPx : 1); }
    [[nodiscard]] double xOf(Nanos time) const { return static_cast<double>(time - window.begin) / (nanosPerPx() > 0 ? nanosPerPx() : 1); }
    [[nodiscard]] Nanos timeAt(double x) const;

    /// factor < 1 shows less time; what is at x stays there. Within `whole`, and never below `shortest`.
    [[nodiscard]] Interval zoomed(double factor, double x, Interval whole, Nanos shortest = 100) const;
    [[nodiscard]] Interval panned(double px, Interval whole) const;
};

struct Tick {
    Nanos at = 0;
    double x = 0;
    std::string label;  ///< "" for the small ones between
};

/// Ticks at round times (1, 2, 5 x 10^n ns; above a minute 1, 2, 5, 10, 15, 30 min and hours), labels at least `spacePx` apart.
[[nodiscard]] std::vector<Tick> ticksOf(const TimeScale& scale, double spacePx = 110);

/// "12.345 s" with as many digits as ticks that far apart need: neighbours never read the same.
[[nodiscard]] std::string timeLabel(Nanos time, Nanos distance);

}  // namespace flowgauge::timeline
