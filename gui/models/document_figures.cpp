// SPDX-License-Identifier: MIT
#include "gui/models/document_figures.h"

namespace flowgauge::models {

namespace {

using timeline::Measure;
using timeline::Tone;

Tone toneOf(report::Paint paint)
{
    switch (paint) {
        case report::Paint::Compute:
            return Tone::Compute;
        case report::Paint::Communication:
            return Tone::ExposedCommunication;
        case report::Paint::Copy:
            return Tone::Copy;
        case report::Paint::Input:
            return Tone::InputStall;
        case report::Paint::Border:
            return Tone::Gap;
        case report::Paint::Storage:
            return Tone::Storage;
        case report::Paint::Hidden:
            return Tone::HiddenCommunication;
        case report::Paint::Idle:
        case report::Paint::Neutral:
            return Tone::Idle;
    }
    return Tone::Idle;
}

Measure measureOf(report::Quantity quantity)
{
    switch (quantity) {
        case report::Quantity::BytesPerSecond:
            return Measure::BytesPerSecond;
        case report::Quantity::PerSecond:
            return Measure::PerSecond;
        case report::Quantity::Duration:
            return Measure::Duration;
        case report::Quantity::Share:
            return Measure::Share;
        case report::Quantity::Ratio:
            return Measure::Ratio;
        case report::Quantity::Count:
            return Measure::Count;
        case report::Quantity::GpuSeconds:
            return Measure::GpuSeconds;
    }
    return Measure::Count;
}

timeline::ChartShape shapeOf(report::Shape shape, bool overTime)
{
    if (shape == report::Shape::Lines) return timeline::ChartShape::Lines;
    if (shape == report::Shape::Bars) return timeline::ChartShape::Bars;
    return overTime ? timeline::ChartShape::Stacked : timeline::ChartShape::StackedBars;
}

}  // namespace

timeline::Chart chartOf(const report::Chart& chart)
{
    timeline::Chart result;
    result.question = chart.question;
    result.empty = chart.empty;
    result.shape = shapeOf(chart.shape, chart.categories.empty());
    result.measure = measureOf(chart.quantity);
    result.when = chart.when;
    result.categories = chart.categories;
    for (const report::Series& series : chart.series)
        if (!series.values.empty()) result.series.push_back({series.name, toneOf(series.paint), series.values, series.reference, false});
    for (const report::Rule& rule : chart.rules) result.ceilings.push_back({rule.value, rule.label});
    return result;
}

std::vector<Column> columnsOf(const report::Table& table)
{
    std::vector<Column> columns;
    if (table.rows.empty()) return columns;
    for (std::size_t i = 0; i < table.rows.front().size(); ++i)
        columns.push_back({QString::fromStdString(table.rows.front()[i]), {}, i > 0});
    return columns;
}

std::vector<std::vector<Cell>> rowsOf(const report::Table& table)
{
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
        auto& row = rows.emplace_back();
        for (const std::string& text : table.rows[i]) row.push_back({QString::fromStdString(text), QString::fromStdString(text), {}});
    }
    return rows;
}

}  // namespace flowgauge::models
