// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"
#include "collector/record/time.h"
#include "gui/timeline/time_scale.h"
#include "gui/timeline/tone.h"

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace flowgauge::timeline {

/// One piece of a strip: what happened in a power of two of ns.
struct Cell {
    float busy = 0;            ///< share of its width, 0..1
    float exposed = 0;         ///< of its width: communication that no compute hides, or the second part of a row of parts
    std::uint32_t events = 0;  ///< that begin in it
    Tone tone = Tone::None;    ///< of what leads it; None: nothing is there
    Tone second = Tone::None;  ///< of `exposed`
    std::uint8_t shade = 0;
    Kind kind = Kind::None;
    std::int64_t name = 0;  ///< row id of the leading event's name
    Nanos longest = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};

/// A value that was not measured in a cell.
inline constexpr float unknown = -1;

/// A row over a stretch of time at one resolution: cells, or for counters a value a cell and line.
struct Strip {
    Nanos begin = 0;    ///< a multiple of the cells' width
    int widthLog2 = 0;  ///< of a cell, ns
    std::size_t count = 0;
    std::vector<Cell> cells;
    std::vector<std::vector<float>> lines;  ///< per line of a counter row: mean of each cell, or `unknown`

    [[nodiscard]] Nanos width() const { return Nanos{1} << widthLog2; }
    [[nodiscard]] Interval window() const { return {begin, begin + static_cast<Nanos>(count) * width()}; }
    [[nodiscard]] Interval cellAt(std::size_t i) const
    {
        return {begin + static_cast<Nanos>(i) * width(), begin + static_cast<Nanos>(i + 1) * width()};
    }
    [[nodiscard]] bool covers(Interval window, Interval whole) const;
};

/// Where a strip has to lie and how fine it has to be: aligned, so that neighbouring windows share strips.
struct StripFrame {
    Nanos begin = 0;
    int widthLog2 = 0;
    std::size_t count = 0;
};

/// For a window of `px` columns: one to two cells a column, half a window of margin on each side, within `whole`.
[[nodiscard]] StripFrame frameFor(const TimeScale& scale, Interval whole);

/// For the whole run: what is shown while something finer is on its way.
[[nodiscard]] StripFrame overviewOf(Interval whole, std::size_t cells = 2048);

/// What a pixel column shows.
struct Column {
    float busy = 0, exposed = 0;
    Tone tone = Tone::None, second = Tone::None;
    std::uint8_t shade = 0;
    bool known = false;  ///< false: the strip does not reach here
    bool any = false;    ///< an event is there, however short: it is shown
};

/// Cells [first, last) that a pixel column touches; none where the strip does not reach.
struct CellSpan {
    std::size_t first = 0, last = 0;
};
using Spans = std::vector<CellSpan>;  ///< one a column
[[nodiscard]] Spans spansOf(const Strip& strip, const TimeScale& scale);

/// The spans of one picture: rows whose strips lie alike share them, and most do.
class SpanCache {
public:
    explicit SpanCache(const TimeScale& scale) : m_scale(scale) {}
    [[nodiscard]] const Spans& of(const Strip& strip);

private:
    struct Entry {
        Nanos begin;
        int widthLog2;
        std::size_t count;
        Spans spans;
    };
    TimeScale m_scale;
    std::list<Entry> m_entries;  ///< what was handed out stays in its place
};

/// One column a pixel. Cells of a column are averaged; the one with most time leads its colour. A coarser strip repeats.
[[nodiscard]] std::vector<Column> columnsOf(const Strip& strip, const Spans& spans);

/// One value a pixel, or `unknown`.
[[nodiscard]] std::vector<float> valuesOf(const std::vector<float>& line, const Spans& spans);

/// Events that begin in a window, as far as the strip tells.
[[nodiscard]] std::uint64_t eventsIn(const Strip& strip, Interval window);

/// The cell under a time, if the strip reaches there.
[[nodiscard]] const Cell* cellUnder(const Strip& strip, Nanos time);

}  // namespace flowgauge::timeline
