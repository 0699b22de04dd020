// SPDX-License-Identifier: MIT
#include "gui/widgets/chart_widget.h"

#include "analyzer/report/units.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/timeline/time_scale.h"
#include "gui/widgets/chart_painter.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {
constexpr double dragPx = 4;  // less is a click
}

ChartWidget::ChartWidget(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ChartWidget::setChart(timeline::Chart chart)
{
    m_chart = std::move(chart);
    m_hovered.reset();
    setAccessibleName(QString::fromStdString(m_chart.question));
    update();
}

void ChartWidget::setMarked(std::function<bool(std::size_t)> marked)
{
    m_marked = std::move(marked);
    update();
}

QRectF ChartWidget::plot() const
{
    const QFontMetricsF titleSize(style::title());
    const QFontMetricsF noteSize(style::note());
    const double top = drawHead(nullptr, m_chart, width(), titleSize, noteSize);
    const double bottom = height() - noteSize.height() - 6;
    const double left = gutterOf(m_chart, bottom - top, noteSize);
    return {left, top, std::max(10.0, width() - left - 2), std::max(10.0, bottom - top)};
}

void ChartWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double top = drawHead(&painter, m_chart, width(), QFontMetricsF(style::title()), QFontMetricsF(style::note()));
    if (!m_chart.hasValues()) {
        painter.setFont(style::text());
        painter.setPen(style::paper().faint);
        painter.drawText(QRectF(0, top, width(), height() - top), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         QString::fromStdString(m_chart.empty));
        return;
    }
    const QRectF area = plot();
    drawPlot(painter, m_chart, area, m_marked);
    if (m_hovered) {
        const timeline::ChartLayout layout(m_chart, {area.width(), area.height()});
        const double x = area.left() + layout.slotWidth() * (static_cast<double>(*m_hovered) + 0.5);
        painter.setPen(QPen(style::paper().accent, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    if (m_pressedX && std::abs(m_x - *m_pressedX) > dragPx && !m_chart.when.empty()) {
        QColor colour = style::paper().accent;
        colour.setAlpha(60);
        painter.fillRect(QRectF(std::min(m_x, *m_pressedX), area.top(), std::abs(m_x - *m_pressedX), area.height()), colour);
    }
}

QString ChartWidget::tipAt(std::size_t slot) const
{
    QStringList lines;
    if (m_chart.when.empty() && slot < m_chart.categories.size()) lines += QString::fromStdString(m_chart.categories[slot]);
    if (!m_chart.when.empty()) {
        const auto count = static_cast<Nanos>(m_chart.slotCount());
        const Nanos step = m_chart.when.length() / std::max<Nanos>(count, 1);
        const Nanos at = m_chart.when.begin + step * static_cast<Nanos>(slot);
        lines += QString::fromStdString(report::when({at, at + step}));
        for (const timeline::ChartBand& band : m_chart.bands)
            if (band.when.overlaps({at, at + step}) && !band.label.empty()) lines += QString::fromStdString(band.label);
    }
    for (const timeline::ChartSeries& series : m_chart.series)
        if (slot < series.values.size())
            lines += QString::fromStdString(series.name) + ": " + models::valueText(series.values[slot], m_chart.measure);
    return lines.join('\n');
}

Nanos ChartWidget::timeAt(double x) const
{
    const QRectF area = plot();
    return timeline::TimeScale{m_chart.when, area.width()}.timeAt(std::clamp(x - area.left(), 0.0, area.width()));
}

void ChartWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_chart.hasValues()) return;
    const QRectF area = plot();
    m_x = std::clamp(event->position().x(), area.left(), area.right());
    const timeline::ChartLayout layout(m_chart, {area.width(), area.height()});
    m_hovered = area.contains(event->position()) ? layout.slotAt(event->position().x() - area.left()) : std::nullopt;
    m_hovered ? QToolTip::showText(event->globalPosition().toPoint() + QPoint(12, 12), tipAt(*m_hovered), this) : QToolTip::hideText();
    update();
}

void ChartWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_chart.hasValues()) m_pressedX = m_x = event->position().x();
}

void ChartWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_pressedX || event->button() != Qt::LeftButton) return;
    const double from = *m_pressedX;
    m_pressedX.reset();
    update();
    const double to = event->position().x();
    if (!m_chart.when.empty() && std::abs(to - from) > dragPx) {
        emit timePicked({timeAt(std::min(from, to)), timeAt(std::max(from, to))});
        return;
    }
    const QRectF area = plot();
    const auto slot = timeline::ChartLayout(m_chart, {area.width(), area.height()}).slotAt(to - area.left());
    if (slot) emit picked(static_cast<int>(*slot));
}

void ChartWidget::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

}  // namespace flowgauge::widgets
