// SPDX-License-Identifier: MIT
// What lies over the picture of the timeline: selection, marks, the measured piece of time, arrows between ranks.
#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/widgets/timeline_canvas.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace flowgauge::widgets {

namespace {
constexpr std::size_t mostArrows = 150;
constexpr double flagPx = 13;
}  // namespace

/// A frame around the rank's call, and where its clock leaves a doubt of a pixel or more, how far that reaches.
void TimelineCanvas::paintPartner(QPainter& painter, const timeline::Partner& partner, const QRect& area)
{
    const timeline::TimeScale shown = scale();
    const auto xOf = [&](Nanos time) { return m_labelPx + std::clamp(shown.xOf(time), 0.0, shown.widthPx); };
    const QColor colour = partner.last ? style::colourOf(timeline::Tone::ExposedCommunication) : style::paper().accent;
    painter.setPen(QPen(colour, partner.last ? 2 : 1.2));
    const double x = xOf(partner.when.begin);
    painter.drawRect(QRectF(x, area.top() + 1.5, std::max(2.0, xOf(partner.when.end) - x), area.height() - 3.0));
    if (!partner.isPlaced() || static_cast<double>(partner.doubt) < shown.nanosPerPx()) return;
    const double left = xOf(partner.came - partner.doubt), right = xOf(partner.came + partner.doubt), y = area.center().y();
    painter.setPen(QPen(style::paper().ink, 1.2));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    for (const double end : {left, right}) painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4));
}

void TimelineCanvas::paintFlows(QPainter& painter)
{
    if (m_partners.size() < 2 || !m_selected) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const timeline::TimeScale shown = scale();
    std::optional<QPointF> before;
    for (std::size_t i = 0; i < std::min(m_partners.size(), mostArrows); ++i) {
        const timeline::Partner& partner = m_partners[i];
        for (std::size_t at = 0; at < m_strips.rows().size(); ++at) {
            const timeline::Row& row = m_strips.rows()[at];
            if (row.kind != timeline::RowKind::Communication || row.rankAt != partner.rankAt) continue;
            const auto area = rectOf(at);
            if (!area || area->bottom() < rulerPx || area->top() > height()) continue;
            paintPartner(painter, partner, *area);
            const QPointF start(m_labelPx + std::clamp(shown.xOf(partner.came), 0.0, shown.widthPx), area->center().y());
            painter.setPen(QPen(style::paper().accent, 1.2, partner.isPlaced() ? Qt::SolidLine : Qt::DotLine));
            if (before) painter.drawLine(*before, start);
            before = start;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString TimelineCanvas::meetingText() const
{
    if (m_partners.size() < 2) return {};
    const auto rankOf = [this](const timeline::Partner& one) { return m_run->analysis->facts.ranks[one.rankAt].rank; };
    const timeline::Arrivals arrivals = timeline::arrivalsOf(m_partners);
    if (!arrivals.first.isPlaced() || !arrivals.last.isPlaced()) return tr("   who came last is not known: the hosts' clocks are not");
    QString text = tr("   rank %1 came last, %2 after rank %3")
                       .arg(rankOf(arrivals.last))
                       .arg(QString::fromStdString(report::duration(arrivals.apart)))
                       .arg(rankOf(arrivals.first));
    if (arrivals.doubt > 0)
        text += tr(" (± %1%2)")
                    .arg(QString::fromStdString(report::duration(arrivals.doubt)),
                         arrivals.isSure() ? QString() : tr(": the clocks do not tell who"));
    if (m_partners.size() > mostArrows) text += tr("   arrows to %1 of %2 ranks").arg(mostArrows).arg(m_partners.size());
    return text;
}

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
    if (m_drag != Drag::Row || !m_dropRow) return;
    if (const auto area = rectOf(*m_dropRow)) {
        painter.setPen(QPen(style::paper().accent, 2));
        painter.drawRect(QRect(1, area->top(), m_labelPx - 3, area->height() - 1));
    }
}

}  // namespace flowgauge::widgets
