// SPDX-License-Identifier: MIT
#include "gui/timeline/strip.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace flowgauge::timeline {

namespace {

CellSpan spanOf(const Strip& strip, Interval window, Interval column)
{
    if (column.end <= window.begin || column.begin >= window.end) return {};
    const Nanos first = (std::max(column.begin, window.begin) - strip.begin) >> strip.widthLog2;
    const Nanos last = (std::min(column.end, window.end) - strip.begin + strip.width() - 1) >> strip.widthLog2;
    return {static_cast<std::size_t>(first), std::max(static_cast<std::size_t>(first) + 1, static_cast<std::size_t>(last))};
}

Column columnOf(const Strip& strip, CellSpan span)
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

Spans spansOf(const Strip& strip, const TimeScale& scale)
{
    const Interval window = strip.window();
    Spans spans(static_cast<std::size_t>(std::max(0.0, scale.widthPx)));
    Nanos from = scale.timeAt(0);
    for (std::size_t x = 0; x < spans.size(); ++x) {
        const Nanos to = scale.timeAt(static_cast<double>(x) + 1);
        spans[x] = spanOf(strip, window, {from, std::max(from + 1, to)});
        from = to;
    }
    return spans;
}

const Spans& SpanCache::of(const Strip& strip)
{
    for (const Entry& one : m_entries)
        if (one.begin == strip.begin && one.widthLog2 == strip.widthLog2 && one.count == strip.count) return one.spans;
    return m_entries.emplace_back(Entry{strip.begin, strip.widthLog2, strip.count, spansOf(strip, m_scale)}).spans;
}

std::vector<Column> columnsOf(const Strip& strip, const Spans& spans)
{
    std::vector<Column> columns(spans.size());
    for (std::size_t x = 0; x < spans.size(); ++x)
        if (spans[x].first < spans[x].last) columns[x] = columnOf(strip, spans[x]);
    return columns;
}

std::vector<float> valuesOf(const std::vector<float>& line, const Spans& spans)
{
    std::vector<float> values(spans.size(), unknown);
    for (std::size_t x = 0; x < spans.size(); ++x) {
        float sum = 0;
        int known = 0;
        for (std::size_t i = spans[x].first; i < spans[x].last && i < line.size(); ++i) {
            if (line[i] < 0) continue;
            sum += line[i];
            ++known;
        }
        if (known > 0) values[x] = sum / static_cast<float>(known);
    }
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
