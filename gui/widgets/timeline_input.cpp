// SPDX-License-Identifier: MIT
#include "analyzer/report/units.h"
#include "gui/widgets/strip_painter.h"
#include "gui/widgets/timeline_canvas.h"

#include <QGestureEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {

constexpr int clickPx = 4;
constexpr int edgeReachPx = 3;
}  // namespace

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    setFocus();
    m_pressed = event->pos();
    m_pressedWindow = m_navigator.window();
    ++m_gesture;
    m_measured.reset();
    m_drag = dragOf(event);
    m_dragRow.reset();
    m_dropRow.reset();
    if (const int row = rowUnder(m_pressed.y()); m_drag == Drag::Label && row >= 0) m_dragRow = static_cast<std::size_t>(row);
    update();
}

TimelineCanvas::Drag TimelineCanvas::dragOf(const QMouseEvent* event) const
{
    if (event->button() == Qt::MiddleButton) return Drag::Pan;
    if (event->button() != Qt::LeftButton) return Drag::None;
    if (isBorder(event->pos().x())) return Drag::Border;
    if (isPinnedEdge(event->pos())) return Drag::PinnedEdge;
    if (event->pos().x() < m_labelPx) return Drag::Label;
    if (m_spaceHeld) return Drag::Pan;
    if (event->modifiers().testFlag(Qt::ControlModifier)) return Drag::Zoom;
    return event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::Measure : Drag::Select;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    m_mouse = event->pos();
    if (m_drag == Drag::Pan) {
        const timeline::TimeScale pressed{m_pressedWindow, scale().widthPx};
        m_navigator.showWindow(pressed.panned(m_pressed.x() - m_mouse.x(), m_navigator.whole()), m_gesture);
    } else if (m_drag == Drag::None) {
        showWhatCanBeTaken();
        hover(m_mouse);
    } else if (m_drag == Drag::Border) {
        setLabelWidth(m_mouse.x());
    } else if (m_drag == Drag::PinnedEdge) {
        setPinnedHeight(std::max(1, m_mouse.y() - rulerPx));
    } else if (m_drag == Drag::Label || m_drag == Drag::Row) {
        dragRow();
    } else {
        dragTime();
    }
    update();
}

void TimelineCanvas::setLabelWidth(int px)
{
    constexpr int least = 80, most = 480;
    m_labelPx = std::clamp(px, least, most);
    emit labelsResized(m_labelPx);
    invalidate();
}

/// By the cursor: edges that can be dragged.
void TimelineCanvas::showWhatCanBeTaken()
{
    if (isBorder(m_mouse.x()))
        setCursor(Qt::SplitHCursor);
    else if (isPinnedEdge(m_mouse))
        setCursor(Qt::SplitVCursor);
    else
        unsetCursor();
}

bool TimelineCanvas::isPinnedEdge(QPoint at) const
{
    return !m_layout.pinned.empty() && std::abs(at.y() - rulerPx - pinnedHeight()) <= edgeReachPx;
}

bool TimelineCanvas::isBorder(int x) const { return x < m_labelPx && x >= m_labelPx - clickPx; }

void TimelineCanvas::dragTime()
{
    if (std::abs(m_mouse.x() - m_pressed.x()) <= clickPx) return;
    const auto [from, to] = std::minmax({timeUnder(m_pressed.x()), timeUnder(m_mouse.x())});
    const Interval dragged{from, std::max(from + 1, to)};
    if (m_drag == Drag::Measure)
        m_measured = dragged;
    else
        m_navigator.select(dragged);
}

void TimelineCanvas::dragRow()
{
    if (!m_dragRow || std::abs(m_mouse.y() - m_pressed.y()) <= clickPx) return;
    m_drag = Drag::Row;
    const int row = rowUnder(m_mouse.y());
    m_dropRow = row < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(row));
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const bool clicked = (event->pos() - m_pressed).manhattanLength() <= clickPx;
    const Drag drag = m_drag;
    m_drag = Drag::None;
    if (drag == Drag::Row && m_dragRow && m_dropRow) return moveRow(*m_dragRow, *m_dropRow);
    if (clicked && (drag == Drag::Select || drag == Drag::Label)) return click(event->pos());
    if (drag == Drag::Zoom) zoomToSelection();
}

void TimelineCanvas::click(QPoint at)
{
    const int row = rowUnder(at.y());
    if (row < 0) return;
    const timeline::RowKind kind = m_strips.rows()[static_cast<std::size_t>(row)].kind;
    if (at.x() < m_labelPx) {
        if (kind == timeline::RowKind::Host || kind == timeline::RowKind::Rank) toggleFolded(static_cast<std::size_t>(row));
        return;
    }
    if (const auto bar = barUnder(at)) return selectBar(static_cast<std::size_t>(row), *bar);
    m_selected.reset();
    m_flows.clear();
    m_navigator.select({});
    update();
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (isPinnedEdge(event->pos())) return setPinnedHeight(0);
    if (event->pos().x() < m_labelPx) return;
    if (const auto bar = barUnder(event->pos())) return m_navigator.explain(bar->when(), m_navigator.state().ranks);
    const timeline::TimeScale shown = scale();
    m_navigator.showWindow(shown.zoomed(0.25, event->pos().x() - m_labelPx, m_navigator.whole()));
}

void TimelineCanvas::leaveEvent(QEvent* event)
{
    m_mouse = {-1, -1};
    m_hovered.reset();
    emit hovered({});
    invalidate();
    QWidget::leaveEvent(event);
}

/// Two fingers: apart shows less time, as Ctrl and the wheel do. What is between them stays there.
void TimelineCanvas::pinch(double factor, double x)
{
    if (factor > 0) m_navigator.showWindow(scale().zoomed(1 / factor, x - m_labelPx, m_navigator.whole()), m_gesture);
}

/// One finger moves the picture, and a tap picks what is under it.
void TimelineCanvas::touch(const QTouchEvent& event)
{
    if (event.points().size() != 1) return;
    const QEventPoint& finger = event.points().front();
    const QPointF moved = finger.position() - finger.lastPosition();
    if (event.type() == QEvent::TouchBegin) ++m_gesture;
    if (event.type() == QEvent::TouchUpdate) {
        m_navigator.showWindow(scale().panned(-moved.x(), m_navigator.whole()), m_gesture);
        emit scrollBy(-static_cast<int>(moved.y()));
    }
    const bool tapped = (finger.position() - finger.pressPosition()).manhattanLength() <= clickPx;
    if (event.type() == QEvent::TouchEnd && tapped) click(finger.position().toPoint());
}

bool TimelineCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::TouchBegin || event->type() == QEvent::TouchUpdate || event->type() == QEvent::TouchEnd) {
        event->accept();  // else Qt makes a mouse of the first finger, and the second one is never seen
        touch(*static_cast<QTouchEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {  // of a touch pad
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::BeginNativeGesture) ++m_gesture;
        if (gesture->gestureType() == Qt::ZoomNativeGesture) pinch(1 + gesture->value(), gesture->position().x());
        return true;
    }
    if (event->type() == QEvent::Gesture) {  // of a touch screen
        const auto* gesture = static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
        if (gesture == nullptr) return QWidget::event(event);
        if (gesture->state() == Qt::GestureStarted) ++m_gesture;
        pinch(gesture->scaleFactor(), mapFromGlobal(gesture->centerPoint()).x());
        return true;
    }
    return QWidget::event(event);
}

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    const double x = event->position().x() - m_labelPx;
    const int along = turn.y() != 0 ? turn.y() : turn.x();
    if (event->modifiers().testFlag(Qt::ControlModifier))
        m_navigator.showWindow(scale().zoomed(std::pow(1.0015, -along), x, m_navigator.whole()), m_gesture);
    else if (event->modifiers().testFlag(Qt::ShiftModifier) || turn.y() == 0)
        m_navigator.showWindow(scale().panned(-along * 0.8, m_navigator.whole()), m_gesture);
    else if (m_layout.pinnedHeight > pinnedHeight() && event->position().y() < rulerPx + pinnedHeight())
        scrollPinned(-turn.y() / 2);
    else
        emit scrollBy(-turn.y() / 2);
    event->accept();
}

std::optional<timeline::Bar> TimelineCanvas::barUnder(QPoint at) const
{
    const int row = rowUnder(at.y());
    if (row < 0 || at.x() < m_labelPx) return std::nullopt;
    const load::RowBars* bars = m_strips.bars(static_cast<std::size_t>(row), scale().window);
    const auto area = rectOf(static_cast<std::size_t>(row));
    if (bars == nullptr || !area) return std::nullopt;
    const int lane = bars->lanes > 1 ? std::clamp((at.y() - area->top()) * bars->lanes / area->height(), 0, bars->lanes - 1) : -1;
    const int found = timeline::barAt(bars->bars, scale(), at.x() - m_labelPx, lane, 3);
    return found < 0 ? std::nullopt : std::optional(bars->bars[static_cast<std::size_t>(found)]);
}

void TimelineCanvas::hover(QPoint at)
{
    const auto bar = barUnder(at);
    const bool same =
        bar.has_value() == m_hovered.has_value() && (!bar || (bar->name == m_hovered->name && bar->event.link == m_hovered->event.link));
    m_hovered = bar;
    m_hoveredRank = bar ? m_strips.rows()[static_cast<std::size_t>(rowUnder(at.y()))].rank : std::nullopt;
    emit hovered(bar ? detailsOf(*bar) : detailsAt(at));
    if (!same) invalidate();
}

/// Where single events cannot be told apart, what the pixel stands for; counters' values; a row's own sentence at its label.
QString TimelineCanvas::detailsAt(QPoint at) const
{
    const int under = rowUnder(at.y());
    if (under < 0) return {};
    const auto row = static_cast<std::size_t>(under);
    const timeline::Row& about = m_strips.rows()[row];
    if (at.x() < m_labelPx) return QString::fromStdString(about.hint);
    const Nanos time = timeUnder(at.x());
    const timeline::Strip* strip = m_strips.fine(row);
    if (strip == nullptr || !strip->window().contains(time)) strip = m_strips.overview(row);
    QString when = QString::fromStdString(timeline::timeLabel(time, static_cast<Nanos>(scale().nanosPerPx())));
    if (strip == nullptr) return when;
    QStringList parts{when};
    for (std::size_t i = 0; i < strip->lines.size(); ++i) {
        const auto cell = static_cast<std::size_t>((time - strip->begin) >> strip->widthLog2);
        const float value = cell < strip->lines[i].size() ? strip->lines[i][cell] : timeline::unknown;
        parts += QString::fromStdString(about.lines[i].label) + " " + (value < 0 ? tr("not measured") : valueText(about.unit, value));
    }
    if (about.ceiling > 0) parts += tr("link %1").arg(valueText(about.unit, about.ceiling));
    if (const timeline::Cell* cell = timeline::cellUnder(*strip, time); cell != nullptr && cell->tone != timeline::Tone::None) {
        if (about.kind == timeline::RowKind::Rank) parts += tr("mostly %1").arg(QString::fromUtf8(timeline::nameOf(cell->tone)));
        parts += tr("busy %1").arg(QString::fromStdString(report::share(cell->busy)));
        if (cell->events > 0) parts += tr("%1 events").arg(QString::fromStdString(report::count(cell->events)));
        if (cell->longest > 0) parts += tr("longest %1").arg(QString::fromStdString(report::duration(cell->longest)));
    }
    return parts.join("   ");
}

}  // namespace flowgauge::widgets
