// SPDX-License-Identifier: MIT
#include "gui/models/measure.h"

#include "analyzer/report/lines.h"
#include "analyzer/report/units.h"

#include <QStringList>

#include <cmath>

namespace flowgauge::models {

namespace {

using timeline::Measure;

report::Quantity quantityOf(Measure measure)
{
    switch (measure) {
        case Measure::PerSecond:
            return report::Quantity::PerSecond;
        case Measure::Duration:
            return report::Quantity::Duration;
        case Measure::Share:
            return report::Quantity::Share;
        case Measure::Ratio:
            return report::Quantity::Ratio;
        case Measure::Count:
            return report::Quantity::Count;
        case Measure::GpuSeconds:
            return report::Quantity::GpuSeconds;
        default:
            return report::Quantity::BytesPerSecond;
    }
}

std::string textOf(double value, Measure measure)
{
    switch (measure) {
        case Measure::BytesPerSecond:
            return report::bytesPerSecond(value);
        case Measure::Bytes:
            return report::bytes(value);
        case Measure::PerSecond:
            return report::perSecond(value);
        case Measure::Duration:
            return report::duration(std::llround(value));
        case Measure::Share:
            return report::share(value);
        case Measure::Ratio:
            return report::ratio(value);
        case Measure::Count:
            return report::count(std::llround(value));
        case Measure::GpuSeconds:
            return report::gpuSeconds(value);
    }
    return {};
}

}  // namespace

QString unbroken(const QString& words) { return QString::fromStdString(report::unbroken(words.toStdString())); }

QString valueText(double value, Measure measure)
{
    return std::isfinite(value) ? QString::fromStdString(textOf(value, measure)) : QStringLiteral("–");
}

QString axisText(double value, Measure measure)
{
    if (measure == Measure::Bytes)  // "20 MB/s" without its "/s": the report has no axis of bytes
        return QString::fromStdString(report::axisLabel(value, report::Quantity::BytesPerSecond)).remove(QStringLiteral("/s"));
    return QString::fromStdString(report::axisLabel(value, quantityOf(measure)));
}

Cell cellOf(double value, Measure measure) { return {valueText(value, measure), std::isfinite(value) ? QVariant(value) : QVariant(), {}}; }

Cell wordCell(const QString& text) { return {text, text, {}}; }

QString csvOf(const timeline::Chart& chart)
{
    if (!chart.hasValues()) return {};
    QStringList lines;
    QStringList fields{chart.when.empty() ? QStringLiteral("what") : QStringLiteral("at s")};
    for (const timeline::ChartSeries& series : chart.series) fields += csvField(QString::fromStdString(series.name));
    lines += fields.join(u',');
    const std::size_t count = chart.slotCount();
    for (std::size_t slot = 0; slot < count; ++slot) {
        const double at = static_cast<double>(chart.when.begin) +
                          static_cast<double>(chart.when.length()) * static_cast<double>(slot) / static_cast<double>(count);
        fields = {chart.when.empty() ? csvField(QString::fromStdString(slot < chart.categories.size() ? chart.categories[slot] : ""))
                                     : QString::number(at / 1e9, 'f', 6)};
        for (const timeline::ChartSeries& series : chart.series) {
            const bool known = slot < series.values.size() && std::isfinite(series.values[slot]);
            fields += known ? QString::number(series.values[slot], 'g', 12) : QString();
        }
        lines += fields.join(u',');
    }
    return lines.join(u'\n') + u'\n';
}

QString csvOf(const timeline::Grid& grid)
{
    QStringList lines{QStringLiteral("row,column,value")};
    for (std::size_t row = 0; row < grid.rows; ++row)
        for (std::size_t column = 0; column < grid.columns; ++column) {
            if (!(grid.at(column, row) > 0)) continue;
            const double at = static_cast<double>(grid.when.begin) +
                              static_cast<double>(grid.when.length()) * static_cast<double>(column) / static_cast<double>(grid.columns);
            const QString name =
                column < grid.columnNames.size() ? QString::fromStdString(grid.columnNames[column]) : QString::number(at / 1e9);
            lines += csvField(QString::fromStdString(grid.rowName(row))) + u',' + csvField(name) + u',' +
                     QString::number(grid.at(column, row), 'g', 12);
        }
    return lines.join(u'\n') + u'\n';
}

}  // namespace flowgauge::models
