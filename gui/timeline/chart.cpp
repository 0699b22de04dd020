// SPDX-License-Identifier: MIT
#include "gui/timeline/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace flowgauge::timeline {

namespace {

double finite(double value) { return std::isfinite(value) ? value : 0.0; }

bool stacks(ChartShape shape) { return shape == ChartShape::Stacked || shape == ChartShape::StackedBars; }

/// Sums of what lies above and below zero in a slot.
std::pair<double, double> sums(const Chart& chart, std::size_t slot)
{
    double below = 0;
    double above = 0;
    for (const ChartSeries& series : chart.series) {
        if (slot >= series.values.size()) continue;
        const double value = finite(series.values[slot]);
        if (!stacks(chart.shape) || series.dashed) {
            below = std::min(below, value);
            above = std::max(above, value);
        }
    }
    if (!stacks(chart.shape)) return {below, above};
    double stackedBelow = 0;
    double stackedAbove = 0;
    for (const ChartSeries& series : chart.series)
        if (!series.dashed && slot < series.values.size())
            (series.values[slot] < 0 ? stackedBelow : stackedAbove) += finite(series.values[slot]);
    return {std::min(below, stackedBelow), std::max(above, stackedAbove)};
}

/// No value but 0: an axis would show parts of nothing.
bool isFlat(const Chart& chart)
{
    return std::none_of(chart.series.begin(), chart.series.end(), [](const ChartSeries& one) {
        return std::any_of(one.values.begin(), one.values.end(), [](double value) { return finite(value) != 0; });
    });
}

/// As roundStep; minutes and hours are not decimal.
double stepOf(Measure measure, double length, int wanted)
{
    constexpr double minute = 60e9;
    const double rough = length / std::max(wanted, 1);
    if (measure != Measure::Duration || rough < minute) return roundStep(length, wanted);
    static constexpr std::array<double, 12> minutes{1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440};
    const auto beyond = std::upper_bound(minutes.begin(), minutes.end(), rough / minute);
    return *(beyond - 1) * minute;
}

}  // namespace

bool isInSight(double ceiling, double most)
{
    constexpr double farAway = 2.5;
    return ceiling <= farAway * most;
}

std::size_t Chart::slotCount() const
{
    std::size_t most = categories.size();
    for (const ChartSeries& one : series) most = std::max(most, one.values.size());
    return most;
}

bool Chart::hasValues() const
{
    return std::any_of(series.begin(), series.end(), [](const ChartSeries& one) {
        return std::any_of(one.values.begin(), one.values.end(), [](double value) { return std::isfinite(value); });
    });
}

std::pair<double, double> Chart::range() const
{
    double least = 0;
    double most = 0;
    for (std::size_t slot = 0; slot < slotCount(); ++slot) {
        const auto [below, above] = sums(*this, slot);
        least = std::min(least, below);
        most = std::max(most, above);
    }
    for (const Ceiling& ceiling : ceilings)
        if (isInSight(ceiling.value, most)) most = std::max(most, ceiling.value);
    if (most <= least) most = least + 1;
    const double step = stepOf(measure, most - least, 5);
    const double end = std::ceil(most * 1.02 / step) * step;
    const bool ofAWhole = measure == Measure::Share && most <= 1;
    return {std::floor(least / step + 1e-9) * step, ofAWhole ? std::min(end, 1.0) : end};
}

std::vector<Ceiling> Chart::shownCeilings() const
{
    const double most = range().second;
    std::vector<Ceiling> shown;
    for (const Ceiling& ceiling : ceilings)
        if (ceiling.value > 0 && ceiling.value <= most) shown.push_back(ceiling);
    return shown;
}

ChartLayout::ChartLayout(const Chart& chart, PlotSize plot)
    : m_chart(chart), m_plot(plot), m_slots(std::max<std::size_t>(chart.slotCount(), 1))
{
    std::tie(m_least, m_most) = chart.range();
}

double ChartLayout::yOf(double value) const { return m_plot.height * (m_most - value) / (m_most - m_least); }

double ChartLayout::slotWidth() const { return m_plot.width / static_cast<double>(m_slots); }

std::optional<std::size_t> ChartLayout::slotAt(double x) const
{
    if (x < 0 || x >= m_plot.width) return std::nullopt;
    return std::min(m_slots - 1, static_cast<std::size_t>(x / slotWidth()));
}

double ChartLayout::baseOf(std::size_t series, std::size_t slot) const
{
    double base = 0;
    const double own = m_chart.series[series].values[slot];
    for (std::size_t i = 0; i < series; ++i) {
        const ChartSeries& other = m_chart.series[i];
        if (other.dashed || slot >= other.values.size()) continue;
        if ((other.values[slot] < 0) == (own < 0)) base += finite(other.values[slot]);
    }
    return base;
}

std::vector<ChartBar> ChartLayout::bars() const
{
    std::vector<ChartBar> bars;
    const auto solid = static_cast<double>(
        std::count_if(m_chart.series.begin(), m_chart.series.end(), [](const ChartSeries& one) { return !one.dashed; }));
    const double group = std::min(slotWidth() * 0.78, 90.0 * (m_chart.shape == ChartShape::Bars ? solid : 1));
    const bool stacked = m_chart.shape == ChartShape::StackedBars;
    const double width = stacked ? group : group / std::max(solid, 1.0);
    double beside = 0;
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
        const ChartSeries& series = m_chart.series[i];
        if (series.dashed) continue;
        for (std::size_t slot = 0; slot < series.values.size(); ++slot) {
            const double value = series.values[slot];
            if (!std::isfinite(value) || value == 0) continue;
            const double base = stacked ? baseOf(i, slot) : 0;
            const double top = yOf(std::max(base, base + value));
            const double left = slotWidth() * (static_cast<double>(slot) + 0.5) - group / 2 + (stacked ? 0 : beside * width);
            bars.push_back({i, slot, left, top, width, yOf(std::min(base, base + value)) - top});
        }
        beside += 1;
    }
    return bars;
}

std::vector<std::vector<PlotPoint>> ChartLayout::lines(std::size_t series) const
{
    std::vector<std::vector<PlotPoint>> runs;
    const ChartSeries& one = m_chart.series[series];
    bool open = false;
    for (std::size_t slot = 0; slot < one.values.size(); ++slot) {
        if (!std::isfinite(one.values[slot])) {
            open = false;
            continue;
        }
        if (!open) runs.emplace_back();
        open = true;
        const double base = m_chart.shape == ChartShape::Stacked && !one.dashed ? baseOf(series, slot) : 0;
        runs.back().push_back({slotWidth() * (static_cast<double>(slot) + 0.5), yOf(base + one.values[slot])});
    }
    return runs;
}

std::vector<double> ChartLayout::levels(int wanted) const
{
    if (isFlat(m_chart)) return {0};
    const double step = stepOf(m_chart.measure, m_most - m_least, wanted);
    std::vector<double> levels;
    for (double at = std::ceil(m_least / step - 1e-9); at * step <= m_most * (1 + 1e-9); at += 1) levels.push_back(at == 0 ? 0 : at * step);
    return levels;
}

double roundStep(double length, int wanted)
{
    const double rough = length / std::max(wanted, 1);
    if (!(rough > 0) || !std::isfinite(rough)) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {5.0, 2.0})
        if (factor * power <= rough * (1 + 1e-9)) return factor * power;
    return power;
}

bool Grid::hasValues() const
{
    return std::any_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

std::vector<float> Grid::strengths() const
{
    double least = 0;
    double most = 0;
    for (const double value : values) {
        if (!(value > 0)) continue;
        least = least > 0 ? std::min(least, value) : value;
        most = std::max(most, value);
    }
    constexpr double weakest = 0.25;  // what is there is seen
    std::vector<float> strengths(values.size());
    const double span = most > least ? std::log(most / least) : 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] > 0) strengths[i] = static_cast<float>(span > 0 ? weakest + (1 - weakest) * std::log(values[i] / least) / span : 1.0);
    return strengths;
}

const std::string& Grid::rowName(std::size_t row) const
{
    static const std::string none;
    if (rowNames.empty() || rows == 0) return none;
    return rowNames[std::min(rowNames.size() - 1, row * rowNames.size() / rows)];
}

}  // namespace flowgauge::timeline
