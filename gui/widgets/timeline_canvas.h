// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/flows.h"
#include "gui/widgets/key_map.h"
#include "gui/widgets/navigator.h"
#include "gui/widgets/strip_cache.h"
#include "gui/widgets/timeline_painter.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <map>
#include <optional>
#include <set>

class QMenu;
class QTouchEvent;

namespace flowgauge::widgets {

/// The picture of the timeline and what mouse and keys do in it. Paints from what StripCache has, at once; never waits.
class TimelineCanvas : public QWidget {
    Q_OBJECT
public:
    TimelineCanvas(StripCache& strips, Navigator& navigator, QWidget* parent = nullptr);

    void setRun(const load::RunPtr& run);
    void setFilter(const QString& filter);
    void setScroll(int y);
    void scrollPinned(int px);  ///< where the pinned rows have too little room
    void setLabelWidth(int px);
    [[nodiscard]] int labelWidth() const { return m_labelPx; }
    void selectBar(std::size_t row, const timeline::Bar& bar);
    [[nodiscard]] int contentHeight() const { return m_layout.scrolledHeight; }
    [[nodiscard]] int viewHeight() const;    ///< of the part that scrolls
    [[nodiscard]] int pinnedHeight() const;  ///< of the part above it
    void setPinnedHeight(int px);            ///< as the user wants it, as far as it can be; 0: by itself
    [[nodiscard]] timeline::TimeScale scale() const;
    [[nodiscard]] const timeline::Arrangement& arrangement() const { return m_arrangement; }
    [[nodiscard]] std::vector<std::size_t> shownRows() const;  ///< that can be seen now
    [[nodiscard]] std::size_t blankRows() const;               ///< of those, that have no picture at all yet
    [[nodiscard]] std::vector<store::Id> shownTracks() const;  ///< of all rows that are laid out, seen or scrolled away
    [[nodiscard]] const std::optional<timeline::Bar>& selectedBar() const { return m_selected; }
    [[nodiscard]] const std::vector<timeline::Flow>& flows() const { return m_flows; }  ///< of the selected event
    [[nodiscard]] int hops() const { return m_hops; }
    void setHops(int hops);  ///< how far arrows are followed; what is out of bounds changes nothing and is told
    [[nodiscard]] const std::optional<Interval>& measured() const { return m_measured; }
    [[nodiscard]] qint64 lastPaintNs() const { return m_paintNs; }
    void toggleFolded(std::size_t row);
    void toggleAllFolded();  ///< ranks; those of a folded host are meant too
    void togglePinned(std::size_t row);
    void hideRow(std::size_t row);
    void moveRow(std::size_t row, std::size_t target);  ///< to its place, among those under the same heading
    void resizeRow(std::size_t row, bool taller);
    void arrange(const timeline::Arrangement& rows);  ///< as they were kept; filter and ranks stay
    void showAllRows();
    void step(bool forward, bool sameName);  ///< to the event next to the selected one
    void showSelected();
    void zoomToSelection();
    void mark();  ///< where the mouse is, else in the middle; takes away the mark that lies there

signals:
    void laidOut();                        ///< height or scroll range changed
    void hovered(const QString& details);  ///< "" for nothing
    void picked(const flowgauge::timeline::Bar& bar);
    void scrollBy(int px);
    void labelsResized(int px);
    void hopsChanged(int hops);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag : std::uint8_t { None, Select, Zoom, Pan, Measure, Label, Row, Border, PinnedEdge };
    void layOut();
    void rearrange();  ///< lays out what the user has changed, and remembers it
    void addRowActions(QMenu& menu, std::size_t row);
    void addKeptRows(QMenu& menu);
    void addHopActions(QMenu& menu);
    void invalidate();
    void paintFrame();
    void paintRows(QPainter& painter, const PaintScene& shown, const std::vector<timeline::PlacedRow>& rows, const QRect& area, int scroll);
    void paintOverlay(QPainter& painter);
    void findFlows();  ///< of the selected event
    void paintFlows(QPainter& painter);
    void paintFlow(QPainter& painter, const timeline::Flow& flow, const std::multimap<std::size_t, QRect>& areas, int& arrows) const;
    void paintHop(QPainter& painter, const timeline::Flow& flow, const QRect& area) const;
    void paintPartner(QPainter& painter, const timeline::Partner& partner, const QRect& area) const;
    [[nodiscard]] std::multimap<std::size_t, QRect> communicationAreas() const;
    void paintSelection(QPainter& painter, const timeline::TimeScale& shown);
    void paintMarks(QPainter& painter, const timeline::TimeScale& shown);
    void paintMeasure(QPainter& painter, const timeline::TimeScale& shown);
    void paintFolds(QPainter& painter, const PaintScene& shown, const timeline::PlacedRow& placed, int y);
    void animate();
    bool hold(QKeyEvent* event);
    [[nodiscard]] Drag dragOf(const QMouseEvent* event) const;
    void dragTime();
    void showWhatCanBeTaken();
    void dragRow();
    [[nodiscard]] int motionOf(const QKeyEvent* event) const;
    void hover(QPoint at);
    void pinch(double factor, double x);
    void touch(const QTouchEvent& event);
    void click(QPoint at);
    [[nodiscard]] int rowUnder(int y) const;                              ///< position in rows, or -1
    [[nodiscard]] bool isBorder(int x) const;                             ///< the right edge of the labels, which can be taken hold of
    [[nodiscard]] bool isPinnedEdge(QPoint at) const;                     ///< the lower edge of the pinned part
    [[nodiscard]] QRect rectOf(const timeline::PlacedRow& placed) const;  ///< seen or scrolled away
    [[nodiscard]] std::optional<QRect> rectOf(std::size_t row) const;
    [[nodiscard]] double xOf(Nanos time) const;  ///< at the edge for what lies beyond it
    [[nodiscard]] std::optional<timeline::Bar> barUnder(QPoint at) const;
    [[nodiscard]] QString detailsAt(QPoint at) const;
    [[nodiscard]] QString meetingText() const;  ///< of the selected event's collective, "" without one
    [[nodiscard]] QString hopsText() const;
    [[nodiscard]] Nanos timeUnder(int x) const;
    [[nodiscard]] PaintScene scene(timeline::SpanCache& spans);

    StripCache& m_strips;
    Navigator& m_navigator;
    load::RunPtr m_run;
    timeline::Arrangement m_arrangement;
    timeline::Layout m_layout;
    int m_scroll = 0, m_pinnedScroll = 0;
    int m_labelPx = 190;
    QImage m_frame;
    LabelAtlas m_labels;
    bool m_dirty = true;
    qint64 m_paintNs = 0;
    Drag m_drag = Drag::None;
    QPoint m_pressed, m_mouse{-1, -1};
    Interval m_pressedWindow;
    std::optional<Interval> m_measured;
    std::optional<std::size_t> m_dragRow, m_dropRow;
    bool m_spaceHeld = false;
    std::optional<timeline::Bar> m_hovered, m_selected;
    std::optional<int> m_hoveredRank;
    std::optional<std::size_t> m_selectedRow;
    std::vector<timeline::Flow> m_flows;
    int m_hops = 1;
    std::set<int> m_held;  ///< motions of the keys that are down
    QTimer m_motion;
    QElapsedTimer m_heldFor;
    std::int64_t m_gesture = 10;
};

/// What a key does in the timeline, beside those that move while they are held (W, S, A, D and the arrows) and 1 to 9 (marks).
struct TimelineKey {
    KeyRow row;
    std::function<void(TimelineCanvas&)> act;
};
[[nodiscard]] const std::vector<TimelineKey>& timelineKeys();

/// A bar in words: name, duration, when, bytes and rate.
[[nodiscard]] QString detailsOf(const timeline::Bar& bar);

}  // namespace flowgauge::widgets
