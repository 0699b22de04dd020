// SPDX-License-Identifier: MIT
#include "gui/timeline/strip.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace flowgauge::timeline {

namespace {

/// Cells [first, last) that a pixel column touches.
struct Span {
    std::size_t first = 0, last = 0;
};

/// Of a column; empty where the strip does not reach.
Span spanOf(const Strip& strip, Interval window, Interval column)
{
    if (column.end <= window.begin || column.begin >= window.end) return {};
    const Nanos first = (std::max(column.begin, window.begin) - strip.begin) >> strip.widthLog2;
    const Nanos last = (std::min(column.end, window.end) - strip.begin + strip.width() - 1) >> strip.widthLog2;
    return {static_cast<std::size_t>(first), std::max(static_cast<std::size_t>(first) + 1, static_cast<std::size_t>(last))};
}

/// visit(x, span) for each column that the strip reaches.
template <typename Visit>
void eachColumn(const Strip& strip, const TimeScale& scale, const Visit& visit)
{
    const Interval window = strip.window();
    const auto columns = static_cast<std::size_t>(std::max(0.0, scale.widthPx));
    Nanos from = scale.timeAt(0);
    for (std::size_t x = 0; x < columns; ++x) {
        const Nanos to = scale.timeAt(static_cast<double>(x) + 1);
        const Span span = spanOf(strip, window, {from, std::max(from + 1, to)});
        if (span.first < span.last) visit(x, span);
        from = to;
    }
}

Column columnOf(const Strip& strip, Span span)
{
    Column column;
    column.known = true;
    float most = -1;
    for (std::size_t i = span.first; i < span.last && i < strip.cells.size(); ++i) {
        const Cell& cell = strip.cells[i];
        column.busy += cell.busy;
        column.exposed += cell.exposed;
        column.any = column.any || cell.tone != Tone::None || cell.second != Tone::None;
        if (cell.second != Tone::None) column.second = cell.second;
        if (cell.tone == Tone::None || cell.busy <= most) continue;
        most = cell.busy;
        column.tone = cell.tone;
        column.shade = cell.shade;
    }
    const auto cells = static_cast<float>(span.last - span.first);
    column.busy /= cells;
    column.exposed /= cells;
    return column;
}

Nanos floorTo(Nanos time, int widthLog2) { return (time >> widthLog2) << widthLog2; }

StripFrame frame(Interval window, int widthLog2)
{
    const Nanos begin = floorTo(window.begin, widthLog2);
    const Nanos cells = ((window.end - begin) + (Nanos{1} << widthLog2) - 1) >> widthLog2;
    return {begin, widthLog2, static_cast<std::size_t>(std::max<Nanos>(1, cells))};
}

}  // namespace

bool Strip::covers(Interval asked, Interval whole) const
{
    const Interval needed{std::max(asked.begin, whole.begin), std::min(asked.end, whole.end)};
    return count > 0 && window().begin <= needed.begin && needed.end <= window().end;
}

StripFrame frameFor(const TimeScale& scale, Interval whole)
{
    const auto perPx = static_cast<std::uint64_t>(std::max(1.0, scale.nanosPerPx()));
    const int widthLog2 = static_cast<int>(std::bit_width(perPx)) - 1;
    const Nanos margin = scale.window.length() / 2;
    const Interval wide{std::max(scale.window.begin - margin, whole.begin), std::min(scale.window.end + margin, whole.end)};
    return frame(wide, widthLog2);
}

StripFrame overviewOf(Interval whole, std::size_t cells)
{
    const auto wanted = static_cast<std::uint64_t>(std::max<Nanos>(1, whole.length() / static_cast<Nanos>(cells)));
    return frame(whole, static_cast<int>(std::bit_width(wanted - 1)));
}

std::vector<Column> columnsOf(const Strip& strip, const TimeScale& scale)
{
    std::vector<Column> columns(static_cast<std::size_t>(std::max(0.0, scale.widthPx)));
    eachColumn(strip, scale, [&](std::size_t x, Span span) { columns[x] = columnOf(strip, span); });
    return columns;
}

std::vector<float> valuesOf(const std::vector<float>& line, const Strip& strip, const TimeScale& scale)
{
    std::vector<float> values(static_cast<std::size_t>(std::max(0.0, scale.widthPx)), unknown);
    eachColumn(strip, scale, [&](std::size_t x, Span span) {
        float sum = 0;
        int known = 0;
        for (std::size_t i = span.first; i < span.last && i < line.size(); ++i) {
            if (line[i] < 0) continue;
            sum += line[i];
            ++known;
        }
        if (known > 0) values[x] = sum / static_cast<float>(known);
    });
    return values;
}

std::uint64_t eventsIn(const Strip& strip, Interval window)
{
    std::uint64_t events = 0;
    for (std::size_t i = 0; i < strip.cells.size(); ++i)
        if (strip.cellAt(i).overlaps(window)) events += strip.cells[i].events;
    return events;
}

const Cell* cellUnder(const Strip& strip, Nanos time)
{
    if (!strip.window().contains(time)) return nullptr;
    const auto at = static_cast<std::size_t>((time - strip.begin) >> strip.widthLog2);
    return at < strip.cells.size() ? &strip.cells[at] : nullptr;
}

}  // namespace flowgauge::timeline
