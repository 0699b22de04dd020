// SPDX-License-Identifier: MIT
// What lies over the picture of the timeline: selection, marks, the measured piece of time.
#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/widgets/timeline_canvas.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace flowgauge::widgets {

namespace {
constexpr double flagPx = 13;
}  // namespace

void TimelineCanvas::paintSelection(QPainter& painter, const timeline::TimeScale& shown)
{
    if (const auto& selection = m_navigator.state().selection) {
        const double left = m_labelPx + shown.xOf(selection->begin);
        const double right = m_labelPx + shown.xOf(selection->end);
        QColor colour = style::paper().accent;
        colour.setAlpha(30);
        painter.fillRect(QRectF(left, 0, std::max(1.0, right - left), height()), colour);
        painter.setPen(QPen(style::paper().accent, 1));
        painter.drawLine(QPointF(left, 0), QPointF(left, height()));
        painter.drawLine(QPointF(right, 0), QPointF(right, height()));
    }
    if (!m_selected || !m_selectedRow) return;
    if (const auto area = rectOf(*m_selectedRow)) {
        const double left = m_labelPx + shown.xOf(m_selected->event.begin);
        const double wide = std::max(3.0, shown.xOf(m_selected->event.end) - shown.xOf(m_selected->event.begin));
        painter.setPen(QPen(style::paper().ink, 1.5));
        painter.drawRect(QRectF(left - 1, area->top() + 1, wide + 1, area->height() - 3));
    }
}

/// Flags on the ruler, with the number of the key that leads there.
void TimelineCanvas::paintMarks(QPainter& painter, const timeline::TimeScale& shown)
{
    const std::vector<Nanos>& marks = m_navigator.state().marks;
    painter.setFont(style::note());
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (!shown.window.contains(marks[i])) continue;
        const double x = m_labelPx + shown.xOf(marks[i]);
        const QRectF flag(x, rulerPx / 2.0, flagPx, flagPx);
        painter.setPen(QPen(style::paper().accent, 1));
        painter.drawLine(QPointF(x, flag.top()), QPointF(x, height()));
        painter.fillRect(flag, style::paper().accent);
        painter.setPen(style::paper().background);
        painter.drawText(flag, Qt::AlignCenter, QString::number(i + 1));
    }
}

/// A double arrow between two times, and how long it is.
void TimelineCanvas::paintMeasure(QPainter& painter, const timeline::TimeScale& shown)
{
    if (!m_measured) return;
    const double left = m_labelPx + shown.xOf(m_measured->begin);
    const double right = m_labelPx + shown.xOf(m_measured->end);
    const double y = m_pressed.y();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style::paper().ink, 1.2));
    painter.setBrush(style::paper().ink);
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    painter.drawPolygon(QPolygonF{{left, y}, {left + 6, y - 3}, {left + 6, y + 3}});
    painter.drawPolygon(QPolygonF{{right, y}, {right - 6, y - 3}, {right - 6, y + 3}});
    painter.drawLine(QPointF(left, y - 8), QPointF(left, y + 8));
    painter.drawLine(QPointF(right, y - 8), QPointF(right, y + 8));
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(style::text());
    const QString length = QString::fromStdString(report::duration(m_measured->length()));
    QRectF box(0, 0, QFontMetricsF(painter.font()).horizontalAdvance(length) + 12, 20);
    box.moveCenter({(left + right) / 2, y - 14});
    painter.fillRect(box, style::paper().raised);
    painter.drawText(box, Qt::AlignCenter, length);
}

void TimelineCanvas::paintOverlay(QPainter& painter)
{
    const timeline::TimeScale shown = scale();
    painter.setClipRect(m_labelPx, 0, width() - m_labelPx, height());
    paintSelection(painter, shown);
    paintFlows(painter);
    paintMarks(painter, shown);
    paintMeasure(painter, shown);
    if (m_mouse.x() > m_labelPx) {
        QColor faint = style::paper().faint;
        faint.setAlpha(110);
        painter.setPen(faint);
        painter.drawLine(m_mouse.x(), rulerPx / 2, m_mouse.x(), height());
    }
    painter.setClipping(false);
    if (m_drag == Drag::PinnedEdge || (m_drag == Drag::None && isPinnedEdge(m_mouse)))
        painter.fillRect(QRect(0, rulerPx + pinnedHeight() - 1, width(), 2), style::paper().accent);
    if (m_drag != Drag::Row || !m_dropRow) return;
    if (const auto area = rectOf(*m_dropRow)) {
        painter.setPen(QPen(style::paper().accent, 2));
        painter.drawRect(QRect(1, area->top(), m_labelPx - 3, area->height() - 1));
    }
}

}  // namespace flowgauge::widgets
