// SPDX-License-Identifier: MIT
#include "analyzer/report/units.h"
#include "gui/widgets/strip_painter.h"
#include "gui/widgets/timeline_canvas.h"

#include <QGestureEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {

constexpr int clickPx = 4;
enum Motion { zoomIn, zoomOut, left, right };

/// Keys by their place on the board where the system tells it, so that they lie under the same fingers on any layout.
struct MotionKey {
    int key, scanCode, motion;
};
constexpr MotionKey motionKeys[] = {{Qt::Key_W, 25, zoomIn}, {Qt::Key_S, 39, zoomOut},  {Qt::Key_A, 38, left},
                                    {Qt::Key_D, 40, right},  {Qt::Key_Left, 113, left}, {Qt::Key_Right, 114, right}};

}  // namespace

int TimelineCanvas::motionOf(const QKeyEvent* event) const
{
    const Qt::KeyboardModifiers harmless = Qt::ShiftModifier | Qt::KeypadModifier;
    if (event->modifiers() & ~harmless) return -1;
    const auto code = static_cast<int>(event->nativeScanCode());
    for (const MotionKey& row : motionKeys)
        if (code > 8 ? code == row.scanCode : event->key() == row.key) return row.motion;
    return -1;
}

bool TimelineCanvas::hold(QKeyEvent* event)
{
    const int motion = motionOf(event);
    if (motion < 0) return false;
    if (m_held.empty()) {
        ++m_gesture;
        m_heldFor.start();
        m_motion.start();
    }
    m_held.insert(motion);
    if (!event->isAutoRepeat()) animate();
    return true;
}

/// One frame of what the held keys ask for: slow at first, faster the longer they are held.
void TimelineCanvas::animate()
{
    const double speed = std::min(4.0, 1.0 + static_cast<double>(m_heldFor.elapsed()) / 500);
    timeline::TimeScale shown = scale();
    const Interval whole = m_navigator.whole();
    const double x = m_mouse.x() > m_labelPx ? m_mouse.x() - m_labelPx : shown.widthPx / 2;
    for (const int motion : m_held) {
        if (motion == zoomIn) shown.window = shown.zoomed(1 / (1 + 0.04 * speed), x, whole);
        if (motion == zoomOut) shown.window = shown.zoomed(1 + 0.04 * speed, x, whole);
        if (motion == left) shown.window = shown.panned(-0.02 * speed * shown.widthPx, whole);
        if (motion == right) shown.window = shown.panned(0.02 * speed * shown.widthPx, whole);
    }
    m_navigator.showWindow(shown.window, m_gesture);
}

const std::vector<TimelineKey>& timelineKeys()
{
    static const std::vector<TimelineKey> keys{
        {{"Show the selected event", "F"}, &TimelineCanvas::showSelected},
        {{"Zoom to the selection", "Z"}, &TimelineCanvas::zoomToSelection},
        {{"Next event of the row", "."}, [](TimelineCanvas& canvas) { canvas.step(true, false); }},
        {{"Event before in the row", ","}, [](TimelineCanvas& canvas) { canvas.step(false, false); }},
        {{"Next event of the same name", "Shift+.;>;Shift+>"}, [](TimelineCanvas& canvas) { canvas.step(true, true); }},
        {{"Event before of the same name", "Shift+,;<;Shift+<"}, [](TimelineCanvas& canvas) { canvas.step(false, true); }},
        {{"Set a mark, or take it away", "M"}, &TimelineCanvas::mark},
        {{"Scroll up", "Up"}, [](TimelineCanvas& canvas) { emit canvas.scrollBy(-40); }},
        {{"Scroll down", "Down"}, [](TimelineCanvas& canvas) { emit canvas.scrollBy(40); }},
    };
    return keys;
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event)
{
    if (hold(event)) return;
    for (const TimelineKey& key : timelineKeys())
        if (presses(*event, key.row)) return key.act(*this);
    if (event->key() == Qt::Key_Space) {
        m_spaceHeld = true;
        if (m_drag == Drag::None) setCursor(Qt::OpenHandCursor);
    } else if (event->key() >= Qt::Key_1 && event->key() <= Qt::Key_9 && !(event->modifiers() & ~Qt::KeypadModifier)) {
        m_navigator.goToMark(static_cast<std::size_t>(event->key() - Qt::Key_0));
    } else {
        QWidget::keyPressEvent(event);
    }
}

void TimelineCanvas::showSelected()
{
    if (m_selected) m_navigator.explain(m_selected->when(), m_navigator.state().ranks);
}

void TimelineCanvas::zoomToSelection()
{
    if (m_navigator.state().selection) m_navigator.showWindow(*m_navigator.state().selection);
}

void TimelineCanvas::mark()
{
    const int x = m_mouse.x() > m_labelPx ? m_mouse.x() : (m_labelPx + width()) / 2;
    const auto reach = static_cast<Nanos>(clickPx * scale().nanosPerPx());
    if (!m_navigator.toggleMark(timeUnder(x), reach)) emit hovered(tr("There are nine marks already: M beside one removes it."));
}

void TimelineCanvas::keyReleaseEvent(QKeyEvent* event)
{
    if (event->isAutoRepeat()) return;
    if (event->key() == Qt::Key_Space) {
        m_spaceHeld = false;
        unsetCursor();
    }
    const int motion = motionOf(event);
    if (motion < 0) return QWidget::keyReleaseEvent(event);
    m_held.erase(motion);
    if (m_held.empty()) m_motion.stop();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event)
{
    m_held.clear();
    m_motion.stop();
    m_spaceHeld = false;
    unsetCursor();
    QWidget::focusOutEvent(event);
}

void TimelineCanvas::step(bool forward, bool sameName)
{
    if (!m_selected || !m_selectedRow) return;
    const load::RowBars* bars = m_strips.bars(*m_selectedRow, scale().window);
    if (bars == nullptr) return;
    const timeline::Bar* best = nullptr;
    for (const timeline::Bar& bar : bars->bars) {
        if (sameName && bar.name != m_selected->name) continue;
        const bool beyond = forward ? bar.event.begin > m_selected->event.begin : bar.event.begin < m_selected->event.begin;
        if (!beyond) continue;
        if (best == nullptr || (forward ? bar.event.begin < best->event.begin : bar.event.begin > best->event.begin)) best = &bar;
    }
    if (best == nullptr) return;
    const timeline::Bar next = *best;
    selectBar(*m_selectedRow, next);
    const Interval window = m_navigator.window();
    if (window.contains(next.event.begin)) return;
    const Nanos begin = next.event.begin - window.length() / 2;
    m_navigator.showWindow({begin, begin + window.length()});
}

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
        hover(m_mouse);
    } else if (m_drag == Drag::Label || m_drag == Drag::Row) {
        dragRow();
    } else {
        dragTime();
    }
    update();
}

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
    m_partners.clear();
    m_navigator.select({});
    update();
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
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
    const QString when = QString::fromStdString(timeline::timeLabel(time, static_cast<Nanos>(scale().nanosPerPx())));
    if (strip == nullptr) return when;
    QStringList parts{when};
    for (std::size_t i = 0; i < strip->lines.size(); ++i) {
        const auto cell = static_cast<std::size_t>((time - strip->begin) >> strip->widthLog2);
        const float value = cell < strip->lines[i].size() ? strip->lines[i][cell] : timeline::unknown;
        parts += QString::fromStdString(about.lines[i].label) + " " + (value < 0 ? tr("not measured") : valueText(about.unit, value));
    }
    if (about.ceiling > 0) parts += tr("link %1").arg(valueText(about.unit, about.ceiling));
    if (const timeline::Cell* cell = timeline::cellUnder(*strip, time); cell != nullptr && cell->tone != timeline::Tone::None) {
        parts += tr("busy %1").arg(QString::fromStdString(report::share(cell->busy)));
        if (cell->events > 0) parts += tr("%1 events").arg(QString::fromStdString(report::count(cell->events)));
        if (cell->longest > 0) parts += tr("longest %1").arg(QString::fromStdString(report::duration(cell->longest)));
    }
    return parts.join("   ");
}

}  // namespace flowgauge::widgets
