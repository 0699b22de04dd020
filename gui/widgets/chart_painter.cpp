// SPDX-License-Identifier: MIT
#include "gui/widgets/chart_painter.h"

#include "analyzer/report/label_places.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/timeline/time_scale.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {

using timeline::Chart;
using timeline::ChartLayout;
using timeline::ChartSeries;
using timeline::ChartShape;

constexpr double swatch = 10;

report::LabelBox boxOf(const QRectF& area) { return {area.left(), area.top(), area.width(), area.height()}; }

void drawSwatch(QPainter& painter, const QRectF& area, const ChartSeries& series, ChartShape shape)
{
    if (series.dashed || shape == ChartShape::Lines) {
        painter.setPen(QPen(colourOf(series), 2, series.dashed ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
        return;
    }
    style::fill(painter, area, series.tone);
    if (series.second) painter.fillRect(area, colourOf(series));
}

void drawBands(QPainter& painter, const Chart& chart, const QRectF& plot, report::LabelPlaces& labels)
{
    const timeline::TimeScale scale{chart.when, plot.width()};
    constexpr std::size_t crowd = 24;  // where there are so many, a label stands only where it fits into its own band
    const bool crowded = chart.bands.size() > crowd;
    painter.setFont(style::note());
    for (const timeline::ChartBand& band : chart.bands) {
        if (!band.when.overlaps(chart.when) || chart.when.empty()) continue;
        const double from = plot.left() + std::max(0.0, scale.xOf(band.when.begin));
        const double to = plot.left() + std::min(plot.width(), scale.xOf(band.when.end));
        const QRectF area(from, plot.top(), std::max(1.0, to - from), plot.height());
        painter.setOpacity(band.tone == timeline::Tone::None ? 0 : 0.22);
        style::fill(painter, area, band.tone);
        painter.setOpacity(1);
        painter.setPen(QPen(style::paper().line, 1));
        const bool isEpoch = band.tone == timeline::Tone::None;
        if (isEpoch && (!crowded || area.width() > 12)) painter.drawLine(area.topLeft(), area.bottomLeft());
        const QString label = QString::fromStdString(band.label);
        const double width = painter.fontMetrics().horizontalAdvance(label) + 6;
        if (label.isEmpty() || ((isEpoch || crowded) && width > area.width()) || from + width > plot.right()) continue;
        if (!labels.take({{from, plot.top(), width, static_cast<double>(painter.fontMetrics().height())}})) continue;
        painter.setPen(style::paper().faint);
        painter.drawText(QPointF(from + 3, plot.top() + painter.fontMetrics().ascent()), label);
    }
}

void drawLevels(QPainter& painter, const Chart& chart, const ChartLayout& layout, const QRectF& plot)
{
    painter.setFont(style::note());
    const double height = painter.fontMetrics().height();
    for (const double level : layout.levels(static_cast<int>(plot.height() / (2.4 * height)))) {
        const double y = plot.top() + layout.yOf(level);
        painter.setPen(QPen(style::paper().line, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(style::paper().faint);
        painter.drawText(QRectF(0, y - height / 2, plot.left() - 6, height), Qt::AlignRight | Qt::AlignVCenter,
                         models::axisText(level, chart.measure));
    }
}

/// A word below the plot, as near to the middle of what it names as the plot's ends allow; left out where another one stands.
void drawBelow(QPainter& painter, const QString& word, double middle, const QRectF& plot, report::LabelPlaces& labels)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const double width = metrics.horizontalAdvance(word);
    const double x = std::clamp(middle - width / 2, plot.left(), std::max(plot.left(), plot.right() - width));
    const double y = plot.bottom() + 4;
    if (!labels.take({{x, y, width + style::space / 2.0, static_cast<double>(metrics.height())}})) return;
    painter.setPen(style::paper().faint);
    painter.drawText(QPointF(x, y + metrics.ascent()), word);
}

void drawTimes(QPainter& painter, const Chart& chart, const QRectF& plot, report::LabelPlaces& labels)
{
    const timeline::TimeScale scale{chart.when, plot.width()};
    for (const timeline::Tick& tick : timeline::ticksOf(scale)) {
        if (!tick.label.empty()) drawBelow(painter, QString::fromStdString(tick.label), plot.left() + tick.x, plot, labels);
    }
}

void drawCategories(QPainter& painter, const Chart& chart, const ChartLayout& layout, const QRectF& plot, report::LabelPlaces& labels)
{
    double widest = 1;
    for (const std::string& name : chart.categories)
        widest = std::max<double>(widest, painter.fontMetrics().horizontalAdvance(QString::fromStdString(name)) + style::space);
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / layout.slotWidth())));
    const double wide = layout.slotWidth() * static_cast<double>(every);
    for (std::size_t i = 0; i < chart.categories.size(); i += every) {
        const QString name =
            painter.fontMetrics().elidedText(QString::fromStdString(chart.categories[i]), Qt::ElideMiddle, static_cast<int>(wide));
        drawBelow(painter, name, plot.left() + layout.slotWidth() * (static_cast<double>(i) + 0.5), plot, labels);
    }
}

void drawBars(QPainter& painter, const Chart& chart, const ChartLayout& layout, const QRectF& plot,
              const std::function<bool(std::size_t)>& marked)
{
    for (const timeline::ChartBar& bar : layout.bars()) {
        const QRectF area(plot.left() + bar.x, plot.top() + bar.y, std::max(bar.width, 1.0), bar.height);
        const ChartSeries& series = chart.series[bar.series];
        painter.setOpacity(!marked || marked(bar.slot) ? 1.0 : 0.35);
        style::fill(painter, area, series.tone);
        if (series.second) painter.fillRect(area, colourOf(series));
    }
    painter.setOpacity(1);
}

QPainterPath pathOf(const std::vector<timeline::PlotPoint>& points, const QRectF& plot)
{
    QPainterPath path;
    for (const timeline::PlotPoint& point : points) {
        const QPointF at(plot.left() + point.x, plot.top() + point.y);
        path.elementCount() == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    return path;
}

/// Stacked areas from the last to the first, so that each covers what stands on it; lines above.
void drawLines(QPainter& painter, const Chart& chart, const ChartLayout& layout, const QRectF& plot)
{
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = chart.series.size(); i-- > 0;) {
        const ChartSeries& series = chart.series[i];
        const bool area = chart.shape == ChartShape::Stacked && !series.dashed;
        for (const auto& points : layout.lines(i)) {
            QPainterPath path = pathOf(points, plot);
            if (!area) {
                painter.strokePath(path, QPen(colourOf(series), 1.5, series.dashed ? Qt::DashLine : Qt::SolidLine));
                if (points.size() == 1)
                    painter.fillRect(QRectF(path.currentPosition() - QPointF(1.5, 1.5), QSizeF(3, 3)), colourOf(series));
                continue;
            }
            path.lineTo(path.currentPosition().x(), plot.top() + layout.yOf(0));
            path.lineTo(plot.left() + points.front().x, plot.top() + layout.yOf(0));
            painter.fillPath(path, style::paper().background);
            painter.fillPath(path, colourOf(series));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void drawCeilings(QPainter& painter, const Chart& chart, const ChartLayout& layout, const QRectF& plot, report::LabelPlaces& labels)
{
    for (const timeline::Ceiling& ceiling : chart.shownCeilings()) {
        const double y = plot.top() + layout.yOf(ceiling.value);
        painter.setPen(QPen(style::paper().ink, 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        const QString label = QString::fromStdString(ceiling.label) + "  " + models::valueText(ceiling.value, chart.measure);
        const QFontMetrics metrics = painter.fontMetrics();
        const auto place = labels.take(report::placesAlong(y, boxOf(plot), metrics.horizontalAdvance(label) + 4, metrics.height()));
        if (!place) continue;
        QColor paper = style::paper().background;
        paper.setAlpha(200);
        painter.fillRect(QRectF(place->x, place->y, place->width, place->height), paper);
        painter.drawText(QPointF(place->x + 2, place->y + metrics.ascent()), label);
    }
}

QString noteOf(const Chart& chart)
{
    QString note = QString::fromStdString(chart.note);
    const auto shown = chart.shownCeilings();
    for (const timeline::Ceiling& ceiling : chart.ceilings) {
        const bool drawn = std::any_of(shown.begin(), shown.end(), [&](const auto& one) { return one.label == ceiling.label; });
        if (drawn || ceiling.value <= 0) continue;
        note += (note.isEmpty() ? "" : "; ") + QString::fromStdString(ceiling.label) + " " +
                models::valueText(ceiling.value, chart.measure) + " is above the picture";
    }
    return models::unbroken(note);
}

}  // namespace

QColor colourOf(const ChartSeries& series)
{
    const QColor colour = style::colourOf(series.tone);
    if (!series.second) return colour;
    return style::isDark() ? colour.lighter(150) : colour.lighter(165);
}

double drawHead(QPainter* painter, const Chart& chart, double width, const QFontMetricsF& titleSize, const QFontMetricsF& noteSize)
{
    double y = titleSize.height();
    const QString note = noteOf(chart);
    const QString title = QString::fromStdString(chart.question);
    if (painter != nullptr) {
        painter->setFont(style::title());
        painter->setPen(style::paper().ink);
        painter->drawText(QPointF(0, titleSize.ascent()), titleSize.elidedText(title, Qt::ElideRight, width));
        painter->setFont(style::note());
    }
    if (!note.isEmpty()) {
        const double high = noteSize.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, note).height();
        if (painter != nullptr) {
            painter->setPen(style::paper().faint);
            painter->drawText(QRectF(0, y, width, high), Qt::TextWordWrap, note);
        }
        y += high;
    }
    if (!chart.hasValues()) return y + 4;
    double x = 0;
    y += 2;
    for (const ChartSeries& series : chart.series) {
        const QString name = QString::fromStdString(series.name);
        const double wide = swatch + 4 + noteSize.horizontalAdvance(name) + 14;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += noteSize.height();
        }
        if (painter != nullptr) {
            drawSwatch(*painter, QRectF(x, y + (noteSize.height() - swatch) / 2, swatch, swatch), series, chart.shape);
            painter->setPen(style::paper().ink);
            painter->drawText(QPointF(x + swatch + 4, y + noteSize.ascent()), name);
        }
        x += wide;
    }
    return y + noteSize.height() + 6;
}

double gutterOf(const Chart& chart, double plotHeight, const QFontMetricsF& noteSize)
{
    const ChartLayout layout(chart, {100, plotHeight});
    double widest = 0;
    for (const double level : layout.levels(static_cast<int>(plotHeight / (2.4 * noteSize.height()))))
        widest = std::max(widest, noteSize.horizontalAdvance(models::axisText(level, chart.measure)));
    return widest + 8;
}

void drawPlot(QPainter& painter, const Chart& chart, const QRectF& plot, const std::function<bool(std::size_t)>& marked)
{
    const ChartLayout layout(chart, {plot.width(), plot.height()});
    const bool bars = chart.shape == ChartShape::Bars || chart.shape == ChartShape::StackedBars;
    report::LabelPlaces labels;
    drawBands(painter, chart, plot, labels);
    drawLevels(painter, chart, layout, plot);
    chart.when.empty() ? drawCategories(painter, chart, layout, plot, labels) : drawTimes(painter, chart, plot, labels);
    painter.save();
    painter.setClipRect(plot.adjusted(0, -1, 0, 1));
    if (bars) drawBars(painter, chart, layout, plot, marked);
    if (!bars) drawLines(painter, chart, layout, plot);
    if (bars)
        for (std::size_t i = 0; i < chart.series.size(); ++i)
            if (chart.series[i].dashed)
                for (const auto& points : layout.lines(i))
                    painter.strokePath(pathOf(points, plot), QPen(colourOf(chart.series[i]), 1.5, Qt::DashLine));
    painter.restore();
    drawCeilings(painter, chart, layout, plot, labels);
}

}  // namespace flowgauge::widgets
