// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"
#include "gui/timeline/tone.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flowgauge::timeline {

/// What the values of a chart are; the words for them are the report's.
enum class Measure : std::uint8_t { BytesPerSecond, Bytes, PerSecond, Duration, Share, Ratio, Count, GpuSeconds };

enum class ChartShape : std::uint8_t { Lines, Stacked, Bars, StackedBars };

struct ChartSeries {
    std::string name;
    Tone tone = Tone::Idle;
    std::vector<double> values{};  ///< one a slot; what is not finite is not drawn
    bool dashed = false;           ///< a reference, not a part of the sum
    bool second = false;           ///< a lighter shade: the other direction of the same thing
};

/// What cannot be passed: a link's rate, a host's memory.
struct Ceiling {
    double value = 0;
    std::string label;
};

/// A piece of time that explains what is seen in it.
struct ChartBand {
    Interval when;
    Tone tone = Tone::Idle;
    std::string label;
};

/// Answers one question, which is its title. Slots are slices of `when`, or the categories.
struct Chart {
    std::string question;
    std::string empty;  ///< what would fill it, where nothing is to be drawn
    std::string note;   ///< one line below the title: what is summed, what is left out
    ChartShape shape = ChartShape::Lines;
    Measure measure = Measure::BytesPerSecond;
    Interval when;                        ///< empty: slots are categories
    std::vector<std::string> categories;  ///< of Bars and StackedBars
    std::vector<ChartSeries> series;
    std::vector<Ceiling> ceilings;
    std::vector<ChartBand> bands;

    [[nodiscard]] std::size_t slotCount() const;
    [[nodiscard]] bool hasValues() const;  ///< at least one that is finite
    /// Ends of the value axis: round, from 0 or below to above the largest value. Ceilings count when they are not far away.
    [[nodiscard]] std::pair<double, double> range() const;
    /// Those that lie within range(); the others can only be told in words.
    [[nodiscard]] std::vector<Ceiling> shownCeilings() const;
};

struct PlotSize {
    double width = 0, height = 0;
};

/// A rectangle of a bar chart, y growing downwards.
struct ChartBar {
    std::size_t series = 0, slot = 0;
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] bool contains(double px, double py) const { return px >= x && px < x + width && py >= y && py < y + height; }
};

struct PlotPoint {
    double x = 0, y = 0;
};

/// Where a chart's values lie in a plot of that size.
class ChartLayout {
public:
    ChartLayout(const Chart& chart, PlotSize plot);
    [[nodiscard]] double yOf(double value) const;
    [[nodiscard]] double slotWidth() const;
    [[nodiscard]] std::optional<std::size_t> slotAt(double x) const;
    [[nodiscard]] std::vector<ChartBar> bars() const;  ///< of Bars and StackedBars
    /// The upper edge of a series, a point in the middle of each slot; stacked ones stand on those before. Runs of finite values.
    [[nodiscard]] std::vector<std::vector<PlotPoint>> lines(std::size_t series) const;
    /// Round values within the range, for the axis.
    [[nodiscard]] std::vector<double> levels(int wanted) const;

private:
    [[nodiscard]] double baseOf(std::size_t series, std::size_t slot) const;
    const Chart& m_chart;
    PlotSize m_plot;
    std::size_t m_slots;
    double m_least, m_most;
};

/// The largest of 1, 2, 5 x 10^n that divides `length` into at least `wanted` pieces.
[[nodiscard]] double roundStep(double length, int wanted);

/// Whether a ceiling may stand above a largest value: one further away would press everything else to the ground.
[[nodiscard]] bool isInSight(double ceiling, double most);

/// A picture of small cells: a matrix, or places against time.
struct Grid {
    std::string question, empty, note;
    Tone tone = Tone::Storage;
    Measure measure = Measure::Bytes;
    std::size_t columns = 0, rows = 0;
    std::vector<double> values;            ///< row by row; 0 and less is nothing
    Interval when;                         ///< of the columns; empty: they have names
    std::vector<std::string> columnNames;  ///< one each, or none
    std::vector<std::string> rowNames;     ///< spread evenly over the rows; any number

    [[nodiscard]] bool hasValues() const;
    [[nodiscard]] double at(std::size_t column, std::size_t row) const { return values[row * columns + column]; }
    /// How strong each value is seen, 0..1: by its logarithm, so that rare and common both show.
    [[nodiscard]] std::vector<float> strengths() const;
    [[nodiscard]] const std::string& rowName(std::size_t row) const;  ///< "" without names
};

}  // namespace flowgauge::timeline
