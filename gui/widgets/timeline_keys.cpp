// SPDX-License-Identifier: MIT
// What keys do in the timeline.
#include "gui/widgets/timeline_canvas.h"

#include <QKeyEvent>

#include <algorithm>

namespace flowgauge::widgets {

namespace {

constexpr int markReachPx = 4;
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
        {{"Arrows of a collective one hop further", "H"}, [](TimelineCanvas& canvas) { canvas.setHops(canvas.hops() + 1); }},
        {{"Arrows of a collective one hop less", "Shift+H"}, [](TimelineCanvas& canvas) { canvas.setHops(canvas.hops() - 1); }},
        {{"Fold all ranks, or unfold them", "C"}, &TimelineCanvas::toggleAllFolded},
        {{"Pinned part lower", "Shift+Up"},
         [](TimelineCanvas& canvas) { canvas.setPinnedHeight(std::max(1, canvas.pinnedHeight() - 20)); }},
        {{"Pinned part taller", "Shift+Down"}, [](TimelineCanvas& canvas) { canvas.setPinnedHeight(canvas.pinnedHeight() + 20); }},
        {{"Automatic height of the pinned part", "Shift+P"}, [](TimelineCanvas& canvas) { canvas.setPinnedHeight(0); }},
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
    const auto reach = static_cast<Nanos>(markReachPx * scale().nanosPerPx());
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

}  // namespace flowgauge::widgets
