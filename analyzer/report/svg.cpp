// SPDX-License-Identifier: MIT
#include "analyzer/report/svg.h"

#include "analyzer/report/label_places.h"
#include "analyzer/report/lines.h"
#include "analyzer/report/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace flowgauge::report {
namespace {

// In the units of the drawing; the page scales it to its width.
constexpr double pictureWidth = 960, pictureHeight = 272, leftEdge = 96, rightEdge = 14, top = 14, bottom = 34;
constexpr double letterWidth = 6.5, letterHeight = 12;  // of the page's small text, the widest letters aside
constexpr double plotWidth = pictureWidth - leftEdge - rightEdge, plotHeight = pictureHeight - top - bottom;

/// Where values go.
struct Frame {
    double most = 1;
    Interval when;
    std::size_t slots = 1;

    [[nodiscard]] double y(double value) const { return top + plotHeight * (1 - std::clamp(value / most, 0.0, 1.0)); }
    [[nodiscard]] double xOfSlot(double slot) const { return leftEdge + plotWidth * slot / static_cast<double>(slots); }
    [[nodiscard]] double xAt(Nanos at) const
    {
        const double share = static_cast<double>(at - when.begin) / static_cast<double>(std::max<Nanos>(when.length(), 1));
        return leftEdge + plotWidth * std::clamp(share, 0.0, 1.0);
    }
};

double widthOf(std::string_view words) { return letterWidth * columnsOf(words); }

std::size_t slotsOf(const Chart& chart)
{
    std::size_t slots = chart.categories.size();
    for (const Series& series : chart.series) slots = std::max(slots, series.values.size());
    return slots;
}

double mostOf(const Chart& chart)
{
    double most = 0;
    std::vector<double> sums(slotsOf(chart));
    for (const Series& series : chart.series)
        for (std::size_t i = 0; i < series.values.size(); ++i) {
            sums[i] += series.values[i];
            most = std::max(most, chart.shape == Shape::Stacked ? sums[i] : series.values[i]);
        }
    for (const Rule& rule : chart.rules) most = std::max(most, rule.value);
    return most;
}

std::string grid(const Chart& chart, const Frame& frame, const std::vector<double>& ticks)
{
    std::string svg;
    for (const double tick : ticks)
        svg += fmt::format(
            "<line class=\"grid\" x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text class=\"y\" x=\"{:.0f}\" "
            "y=\"{:.1f}\">{}</text>",
            leftEdge, pictureWidth - rightEdge, frame.y(tick), frame.y(tick), leftEdge - 8, frame.y(tick) + 4,
            escaped(axisLabel(tick, chart.quantity)));
    return svg;
}

std::string timeAxis(const Frame& frame)
{
    constexpr int wanted = 8;
    std::string svg;
    const double seconds = static_cast<double>(frame.when.length()) / 1e9;
    const double begin = static_cast<double>(frame.when.begin) / 1e9;
    const std::vector<double> ticks = timeTicks(seconds, wanted);
    const double step = ticks.size() > 1 ? ticks[1] : std::max(seconds, 1e-9);
    const auto first = std::llround(std::ceil(begin / step)), last = std::llround(std::floor((begin + seconds * 1.0001) / step));
    for (auto number = first; number <= last; ++number) {
        const double tick = static_cast<double>(number) * step;
        const double x = frame.xAt(std::llround(tick * 1e9));
        svg +=
            fmt::format("<text class=\"x\" x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", x, pictureHeight - 12, escaped(timeLabel(tick, seconds)));
    }
    return svg;
}

/// Epochs as thin marks on the axis with their numbers; evidence as bands that show when their link is followed.
std::string bands(const Chart& chart, const Frame& frame, LabelPlaces& labels)
{
    std::string svg;
    for (const Band& band : chart.bands) {
        const double begin = frame.xAt(band.when.begin);
        const double end = std::max(frame.xAt(band.when.end), begin + 2);
        if (band.evidence) {
            svg += fmt::format(
                "<rect class=\"evidence {}\" x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\"><title>{}</title></rect>",
                band.id, begin, top, end - begin, plotHeight, escaped(band.label));
            continue;
        }
        svg += fmt::format("<line class=\"epoch\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.0f}\" y2=\"{:.0f}\"/>", begin, begin, top,
                           top + plotHeight);
        if (end - begin < 8 || !labels.take({{begin, top, widthOf(band.label) + 8, letterHeight}})) continue;
        svg += fmt::format("<text class=\"band\" x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", begin + 3, top + 9, escaped(band.label));
    }
    return svg;
}

/// Steps, not slopes: a value holds for its whole slice.
std::string outline(const std::vector<double>& tops, const Frame& frame)
{
    std::string path;
    for (std::size_t i = 0; i < tops.size(); ++i) {
        if (i == 0) path += fmt::format("M{:.1f} {:.1f}", frame.xOfSlot(0), frame.y(tops[0]));
        if (i > 0 && tops[i] != tops[i - 1]) path += fmt::format("V{:.1f}", frame.y(tops[i]));
        if (i + 1 == tops.size() || tops[i + 1] != tops[i]) path += fmt::format("H{:.1f}", frame.xOfSlot(static_cast<double>(i + 1)));
    }
    return path;
}

std::string lines(const Chart& chart, const Frame& frame)
{
    std::string svg;
    for (const Series& series : chart.series)
        if (!series.values.empty())
            svg += fmt::format("<path class=\"line {}{}\" d=\"{}\"/>", className(series.paint), series.reference ? " reference" : "",
                               outline(series.values, frame));
    return svg;
}

std::string stacked(const Chart& chart, const Frame& frame)
{
    std::string svg;
    std::vector<double> below(frame.slots);
    for (const Series& series : chart.series) {
        if (series.values.size() != frame.slots) continue;
        std::vector<double> tops = below;
        bool any = false;
        for (std::size_t i = 0; i < tops.size(); ++i) {
            tops[i] += series.values[i];
            any = any || series.values[i] > 0;
        }
        if (any) {
            std::vector<double> reversed(below.rbegin(), below.rend());
            std::string back;
            for (std::size_t i = 0; i < reversed.size(); ++i) {
                const auto slot = static_cast<double>(reversed.size() - i);
                back += fmt::format("V{:.1f}", frame.y(reversed[i]));
                back += fmt::format("H{:.1f}", frame.xOfSlot(slot - 1));
            }
            svg += fmt::format("<path class=\"area {}\" d=\"{}{}Z\"/>", className(series.paint), outline(tops, frame), back);
        }
        below = std::move(tops);
    }
    return svg;
}

std::string bars(const Chart& chart, const Frame& frame)
{
    std::string svg;
    const double slot = plotWidth / static_cast<double>(frame.slots);
    const double each = std::min(84.0, slot * 0.8 / static_cast<double>(chart.series.size()));
    for (std::size_t i = 0; i < frame.slots; ++i) {
        const double middle = frame.xOfSlot(static_cast<double>(i) + 0.5);
        double x = middle - each * static_cast<double>(chart.series.size()) / 2;
        for (const Series& series : chart.series) {
            const double value = i < series.values.size() ? series.values[i] : 0;
            const std::string label = axisLabel(value, chart.quantity);
            svg += fmt::format(
                "<rect class=\"bar {}{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}: {}</title></rect>",
                className(series.paint), series.reference ? " reference" : "", x + 1, frame.y(value), each - 2,
                top + plotHeight - frame.y(value), escaped(series.name), escaped(label));
            if (each >= 40 && value > 0)
                svg += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + each / 2, frame.y(value) - 4,
                                   escaped(label));
            x += each;
        }
        if (i < chart.categories.size())
            svg += fmt::format("<text class=\"x\" x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", middle, pictureHeight - 12,
                               escaped(chart.categories[i]));
    }
    return svg;
}

/// All parts of each category on top of each other.
std::string stackedBars(const Chart& chart, const Frame& frame)
{
    std::string svg;
    const double each = std::min(96.0, plotWidth / static_cast<double>(frame.slots) * 0.6);
    for (std::size_t i = 0; i < frame.slots; ++i) {
        const double x = frame.xOfSlot(static_cast<double>(i) + 0.5) - each / 2;
        double below = 0;
        for (const Series& series : chart.series) {
            const double value = i < series.values.size() ? series.values[i] : 0;
            if (value > 0)
                svg += fmt::format(
                    "<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}: {}</title></rect>",
                    className(series.paint), x, frame.y(below + value), each, frame.y(below) - frame.y(below + value), escaped(series.name),
                    escaped(axisLabel(value, chart.quantity)));
            below += value;
        }
        svg += fmt::format("<text class=\"x\" x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", x + each / 2, pictureHeight - 12,
                           escaped(chart.categories[i]));
    }
    return svg;
}

std::string rules(const Chart& chart, const Frame& frame, LabelPlaces& labels)
{
    std::string svg;
    for (const Rule& rule : chart.rules) {
        const double y = frame.y(rule.value);
        svg += fmt::format("<line class=\"rule\" x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", leftEdge,
                           pictureWidth - rightEdge, y, y);
        const auto place = labels.take(placesAlong(y, {leftEdge, top, plotWidth, plotHeight}, widthOf(rule.label) + 4, letterHeight));
        if (place)
            svg += fmt::format("<text class=\"rule\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", place->right() - 4, place->y + 9,
                               escaped(rule.label));
    }
    return svg;
}

/// What a pointer over a slice is told.
std::string hovers(const Chart& chart, const Frame& frame)
{
    std::string svg = "<g class=\"hover\">";
    const double slice = static_cast<double>(frame.when.length()) / static_cast<double>(frame.slots);
    for (std::size_t i = 0; i < frame.slots; ++i) {
        std::string text = when({frame.when.begin + std::llround(slice * static_cast<double>(i)),
                                 frame.when.begin + std::llround(slice * static_cast<double>(i + 1))});
        for (const Series& series : chart.series)
            if (i < series.values.size()) text += "\n" + series.name + " " + axisLabel(series.values[i], chart.quantity);
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\"><title>{}</title></rect>",
                           frame.xOfSlot(static_cast<double>(i)), top, plotWidth / static_cast<double>(frame.slots), plotHeight,
                           escaped(text));
    }
    return svg + "</g>";
}

}  // namespace

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char letter : text) {
        switch (letter) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += letter;
        }
    }
    return result;
}

std::string_view className(Paint paint)
{
    constexpr std::array<std::string_view, 9> names{"compute", "communication", "copy",   "input",  "idle",
                                                    "border",  "storage",       "hidden", "neutral"};
    return names[static_cast<std::size_t>(paint)];
}

std::vector<double> ticksUpTo(double most, int wanted)
{
    if (!(most > 0)) return {0, 1};
    const double rough = most / wanted;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double round : {1.0, 2.0, 2.5, 5.0})
        if (round * power >= rough * 0.999) {
            step = round * power;
            break;
        }
    std::vector<double> ticks;
    for (int i = 0; ticks.empty() || ticks.back() < most * 0.999; ++i) ticks.push_back(step * i);
    return ticks;
}

/// Long times have their own round numbers: 30 min, not 1,000 s.
static std::vector<double> ticksOf(const Chart& chart)
{
    constexpr double minutesFrom = 120e9;
    const double most = mostOf(chart);
    if (chart.quantity != Quantity::Duration || most < minutesFrom) return ticksUpTo(most, 4);
    std::vector<double> ticks = timeTicks(most / 1e9, 5);
    if (ticks.size() > 1 && ticks.back() * 1e9 < most) ticks.push_back(2 * ticks.back() - ticks[ticks.size() - 2]);
    for (double& tick : ticks) tick *= 1e9;
    return ticks;
}

std::string svgOf(const Chart& chart)
{
    Frame frame;
    frame.slots = slotsOf(chart);
    if (frame.slots == 0) return "";
    const std::vector<double> ticks = ticksOf(chart);
    frame.most = ticks.back();
    frame.when = chart.when;
    const bool overTime = chart.categories.empty();
    std::string svg = fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">", pictureWidth, pictureHeight,
                                  escaped(chart.question));
    LabelPlaces labels;
    svg += grid(chart, frame, ticks) + (overTime ? timeAxis(frame) + bands(chart, frame, labels) : "");
    if (chart.shape == Shape::Lines) svg += lines(chart, frame);
    if (chart.shape == Shape::Stacked) svg += overTime ? stacked(chart, frame) : stackedBars(chart, frame);
    if (chart.shape == Shape::Bars) svg += bars(chart, frame);
    svg += rules(chart, frame, labels);
    return svg + (overTime ? hovers(chart, frame) : "") + "</svg>";
}

}  // namespace flowgauge::report
