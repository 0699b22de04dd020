// SPDX-License-Identifier: MIT
#include "gui/widgets/timeline_canvas.h"

#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/widgets/row_memory.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>

namespace flowgauge::widgets {

namespace {
constexpr int foldPx = 16;
}  // namespace

QString detailsOf(const timeline::Bar& bar)
{
    const Nanos length = bar.event.end - bar.event.begin;
    QStringList parts{QString::fromStdString(bar.name)};
    const auto kind = QString::fromStdString(std::string(rowOf(bar.event.kind).sqlName)).replace('_', ' ');
    if (kind != parts.front()) parts += kind;
    parts += QString::fromStdString(report::duration(length));
    parts += "at " + QString::fromStdString(timeline::timeLabel(bar.event.begin, 1000));
    if (bar.bytes >= 0) parts += QString::fromStdString(report::bytes(static_cast<double>(bar.bytes)));
    if (bar.bytes > 0 && length > 0)
        parts += QString::fromStdString(report::bytesPerSecond(static_cast<double>(bar.bytes) * 1e9 / static_cast<double>(length)));
    if ((bar.event.flags & flagFailed) != 0) parts += "failed";
    return parts.join("   ");
}

TimelineCanvas::TimelineCanvas(StripCache& strips, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_strips(strips), m_navigator(navigator), m_arrangement(recalledRows({}))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_AcceptTouchEvents);
    grabGesture(Qt::PinchGesture);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(400, 160);
    setAccessibleName(tr("Timeline"));
    connect(&strips, &StripCache::changed, this, &TimelineCanvas::invalidate);
    connect(&navigator, &Navigator::changed, this, [this] {
        if (m_arrangement.ranks != m_navigator.state().ranks) layOut();
        invalidate();
    });
    constexpr int frameMs = 16;
    m_motion.setInterval(frameMs);
    connect(&m_motion, &QTimer::timeout, this, &TimelineCanvas::animate);
}

void TimelineCanvas::setRun(const load::RunPtr& run)
{
    m_run = run;
    m_hovered.reset();  // rows may have come or gone
    m_selected.reset();
    m_selectedRow.reset();
    m_flows.clear();
    layOut();
}

void TimelineCanvas::setFilter(const QString& filter)
{
    m_arrangement.filter = filter.toStdString();
    layOut();
}

void TimelineCanvas::setScroll(int y)
{
    m_scroll = y;
    invalidate();
}

int TimelineCanvas::pinnedHeight() const { return m_layout.pinnedPart(height() - rulerPx, m_arrangement.pinnedPx); }

int TimelineCanvas::viewHeight() const { return std::max(0, height() - rulerPx - pinnedHeight()); }

void TimelineCanvas::scrollPinned(int px)
{
    m_pinnedScroll = std::clamp(m_pinnedScroll + px, 0, m_layout.pinnedHeight - pinnedHeight());
    invalidate();
}

timeline::TimeScale TimelineCanvas::scale() const { return {m_navigator.window(), static_cast<double>(std::max(1, width() - m_labelPx))}; }

PaintScene TimelineCanvas::scene(timeline::SpanCache& spans)
{
    return {m_run.get(),
            &m_strips,
            &m_labels,
            &spans,
            &m_arrangement,
            scale(),
            m_labelPx,
            width(),
            timeline::parseFilter(m_navigator.state().search),
            m_hovered ? &*m_hovered : nullptr,
            m_hoveredRank,
            style::text(),
            style::note()};
}

void TimelineCanvas::layOut()
{
    m_arrangement.ranks = m_navigator.state().ranks;
    m_layout = timeline::layoutOf(m_strips.rows(), m_arrangement);
    scrollPinned(0);
    emit laidOut();
}

void TimelineCanvas::invalidate()
{
    m_dirty = true;
    update();
}

std::vector<std::size_t> TimelineCanvas::shownRows() const
{
    std::vector<std::size_t> rows;
    const auto add = [&rows](const std::vector<timeline::PlacedRow>& from, int top, int shown) {
        for (const timeline::PlacedRow& placed : from)
            if (placed.y + placed.height > top && placed.y < top + shown) rows.push_back(placed.row);
    };
    add(m_layout.pinned, m_pinnedScroll, pinnedHeight());
    add(m_layout.scrolled, m_scroll, viewHeight());
    std::erase_if(rows, [this](std::size_t at) {
        const timeline::Row& row = m_strips.rows()[at];
        return row.kind == timeline::RowKind::Host || (row.kind == timeline::RowKind::Rank && !m_arrangement.folded.contains(row.id));
    });
    return rows;
}

std::size_t TimelineCanvas::blankRows() const
{
    const std::vector<std::size_t> rows = shownRows();
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [this](std::size_t row) { return m_strips.overview(row) == nullptr; }));
}

std::vector<store::Id> TimelineCanvas::shownTracks() const
{
    std::vector<store::Id> tracks;
    for (const auto* placed : {&m_layout.pinned, &m_layout.scrolled})
        for (const timeline::PlacedRow& row : *placed) {
            const auto& ids = m_strips.rows()[row.row].tracks;
            tracks.insert(tracks.end(), ids.begin(), ids.end());
        }
    std::sort(tracks.begin(), tracks.end());
    tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
    return tracks;
}

QRect TimelineCanvas::rectOf(const timeline::PlacedRow& placed) const
{
    const int top = placed.pinned ? rulerPx - m_pinnedScroll : rulerPx + pinnedHeight() - m_scroll;
    return {0, top + placed.y, width(), placed.height};
}

std::optional<QRect> TimelineCanvas::rectOf(std::size_t row) const
{
    for (const timeline::PlacedRow& placed : m_layout.pinned) {
        if (placed.row != row) continue;
        const QRect rect = rectOf(placed);
        return rect.intersects(QRect(0, rulerPx, width(), pinnedHeight())) ? std::optional(rect) : std::nullopt;
    }
    for (const timeline::PlacedRow& placed : m_layout.scrolled)
        if (placed.row == row) return rectOf(placed);
    return std::nullopt;
}

int TimelineCanvas::rowUnder(int y) const
{
    const int inside = y - rulerPx;
    if (inside < 0) return -1;
    if (inside < pinnedHeight()) {
        const int at = m_layout.pinnedAt(inside + m_pinnedScroll);
        return at < 0 ? -1 : static_cast<int>(m_layout.pinned[static_cast<std::size_t>(at)].row);
    }
    const int at = m_layout.scrolledAt(inside - pinnedHeight() + m_scroll);
    return at < 0 ? -1 : static_cast<int>(m_layout.scrolled[static_cast<std::size_t>(at)].row);
}

Nanos TimelineCanvas::timeUnder(int x) const { return scale().timeAt(std::clamp(x - m_labelPx, 0, width() - m_labelPx)); }

void TimelineCanvas::paintFolds(QPainter& painter, const PaintScene& shown, const timeline::PlacedRow& placed, int y)
{
    const timeline::Row& row = m_strips.rows()[placed.row];
    const bool heading = row.kind == timeline::RowKind::Host || row.kind == timeline::RowKind::Rank;
    if (!heading && !placed.pinned) return;
    const char* sign = !heading ? "•" : m_arrangement.folded.contains(row.id) ? "▸" : "▾";
    m_labels.draw(painter, QRect(4 + 12 * row.depth, y, foldPx, placed.height), sign, shown.note, style::paper().faint);
}

/// The rows that lie inside of `area`, whose top shows what lies at `scroll`.
void TimelineCanvas::paintRows(QPainter& painter, const PaintScene& shown, const std::vector<timeline::PlacedRow>& rows, const QRect& area,
                               int scroll)
{
    painter.setClipRect(area);
    for (const timeline::PlacedRow& placed : rows) {
        const QRect row(0, area.top() + placed.y - scroll, width(), placed.height);
        if (!row.intersects(area)) continue;
        paintRow(painter, shown, m_strips.rows()[placed.row], placed.row, row);
        paintFolds(painter, shown, placed, row.top());
    }
    painter.setClipping(false);
}

void TimelineCanvas::paintFrame()
{
    QElapsedTimer timer;
    timer.start();
    const qreal ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_frame.size() != pixels) m_frame = QImage(pixels, QImage::Format_RGB32);  // opaque: it is copied, not blended
    m_frame.setDevicePixelRatio(ratio);
    m_frame.fill(style::paper().background);
    QPainter painter(&m_frame);
    timeline::SpanCache spans(scale());
    const PaintScene shown = scene(spans);
    paintBands(painter, shown, QRect(0, rulerPx, width(), height() - rulerPx));
    paintRows(painter, shown, m_layout.scrolled, QRect(0, rulerPx + pinnedHeight(), width(), viewHeight()), m_scroll);
    paintRows(painter, shown, m_layout.pinned, QRect(0, rulerPx, width(), pinnedHeight()), m_pinnedScroll);
    paintRuler(painter, shown, QRect(0, 0, width(), rulerPx));
    painter.setPen(style::paper().line);
    painter.drawLine(0, rulerPx + pinnedHeight(), width(), rulerPx + pinnedHeight());
    painter.drawLine(m_labelPx - 1, 0, m_labelPx - 1, height());
    m_paintNs = timer.nsecsElapsed();
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    if (!m_run) return;
    if (m_dirty) {
        m_dirty = false;
        m_strips.want(shownRows(), scale());
        paintFrame();
    }
    QPainter painter(this);
    painter.drawImage(QPoint(0, 0), m_frame);
    paintOverlay(painter);
    if (!m_layout.scrolled.empty() || !m_layout.pinned.empty()) return;
    painter.setPen(style::paper().faint);
    painter.drawText(
        rect(), Qt::AlignCenter,
        m_strips.rows().empty() ? tr("No event was recorded: there is no time line to show.") : tr("No row passes the filter."));
}

void TimelineCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    scrollPinned(0);
    emit laidOut();
}

void TimelineCanvas::selectBar(std::size_t row, const timeline::Bar& bar)
{
    m_selected = bar;
    m_selectedRow = row;
    findFlows();
    emit hovered(detailsOf(bar) + meetingText());
    emit picked(bar);
    update();
}

}  // namespace flowgauge::widgets
