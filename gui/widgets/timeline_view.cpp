// SPDX-License-Identifier: MIT
#include "gui/widgets/timeline_view.h"

#include "gui/load/rows.h"
#include "gui/style/theme.h"
#include "gui/widgets/minimap.h"
#include "gui/widgets/selection_panel.h"
#include "gui/widgets/strip_cache.h"
#include "gui/widgets/table_panel.h"
#include "gui/widgets/timeline_canvas.h"
#include "gui/widgets/timeline_search.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace flowgauge::widgets {

namespace {
constexpr auto paneMemory = "timelinePanes";
constexpr auto labelMemory = "timelineLabelPx";
constexpr auto hopMemory = "timelineHops";
}  // namespace

TimelineView::TimelineView(const ViewContext& context)
    : View(context),
      m_strips(new StripCache(context.service, this)),
      m_canvas(new TimelineCanvas(*m_strips, context.navigator)),
      m_minimap(new Minimap(context.navigator)),
      m_search(new TimelineSearch(context, [this] { return m_canvas->shownTracks(); })),
      m_selection(new SelectionPanel(context, [this] { return m_canvas->shownTracks(); }))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, style::space / 2, 0, 0);
    column->setSpacing(style::space / 2);
    column->addWidget(buildTools());
    column->addWidget(buildPanes(), 1);
    buildKeys();
}

/// Minimap, picture and tables, of heights that the user shares out and that are remembered.
QWidget* TimelineView::buildPanes()
{
    auto* panes = new QSplitter(Qt::Vertical);
    panes->addWidget(m_minimap);
    panes->addWidget(buildPicture());
    panes->addWidget(buildBottom());
    panes->setCollapsible(0, false);
    panes->setStretchFactor(1, 4);
    panes->setStretchFactor(2, 1);
    panes->setSizes({30, 640, 220});
    panes->restoreState(QSettings().value(paneMemory).toByteArray());
    connect(panes, &QSplitter::splitterMoved, this, [panes] { QSettings().setValue(paneMemory, panes->saveState()); });
    connect(m_canvas, &TimelineCanvas::labelsResized, this, [this](int px) {
        m_minimap->setIndent(px);
        QSettings().setValue(labelMemory, px);
    });
    if (const QVariant px = QSettings().value(labelMemory); px.isValid()) m_canvas->setLabelWidth(px.toInt());
    return panes;
}

QWidget* TimelineView::buildTools()
{
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(style::margin, 0, style::margin, 0);
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Show rows: words, !not (Ctrl+P)"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(240);
    auto* help = new QLabel(tr("W S zoom   A D move   drag selects   Shift-drag measures   M marks"));
    help->setFont(style::note());
    row->addWidget(m_search);
    row->addStretch();
    row->addWidget(help);
    row->addStretch();
    row->addWidget(m_filter);
    connect(m_search, &TimelineSearch::wanted, this, &TimelineView::find);
    connect(m_search, &TimelineSearch::found, this, &TimelineView::showHit);
    connect(m_search, &TimelineSearch::counted, m_minimap, [this](const load::HitCount& hits) { m_minimap->setHits(hits.bySlice); });
    connect(m_filter, &QLineEdit::textChanged, m_canvas, &TimelineCanvas::setFilter);
    return tools;
}

QWidget* TimelineView::buildPicture()
{
    auto* picture = new QWidget;
    auto* row = new QHBoxLayout(picture);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_scroll = new QScrollBar(Qt::Vertical);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_scroll);
    connect(m_scroll, &QScrollBar::valueChanged, m_canvas, &TimelineCanvas::setScroll);
    connect(m_canvas, &TimelineCanvas::laidOut, this, &TimelineView::fitScrollBar);
    connect(m_canvas, &TimelineCanvas::scrollBy, this, [this](int px) { m_scroll->setValue(m_scroll->value() + px); });
    return picture;
}

QWidget* TimelineView::buildBottom()
{
    auto* bottom = new QWidget;
    auto* column = new QVBoxLayout(bottom);
    column->setContentsMargins(style::margin, 0, style::margin, 0);
    m_details = new QLabel;
    m_details->setFont(style::note());
    m_details->setTextFormat(Qt::PlainText);
    m_details->setMinimumWidth(0);
    m_details->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    column->addWidget(m_details);
    column->addWidget(m_selection, 1);
    m_canvas->setHops(QSettings().value(hopMemory, m_canvas->hops()).toInt());
    connect(m_canvas, &TimelineCanvas::hopsChanged, this, [](int hops) { QSettings().setValue(hopMemory, hops); });
    connect(m_canvas, &TimelineCanvas::hovered, m_details, &QLabel::setText);
    connect(m_canvas, &TimelineCanvas::picked, m_selection,
            [this](const timeline::Bar& bar) { m_selection->pointAt(bar.name, bar.event.kind, bar.event.end - bar.event.begin); });
    return bottom;
}

void TimelineView::buildKeys()
{
    const auto key = [this](const char* keys, auto act) {
        auto* shortcut = new QShortcut(QKeySequence(keys), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    key("/", [this] { m_search->line().setFocus(); });
    key("Ctrl+P", [this] { m_filter->setFocus(); });
    key("F3", [this] { find(true); });
    key("Shift+F3", [this] { find(false); });
}

void TimelineView::setRun(const load::RunPtr& run)
{
    m_run = run;
    m_strips->setRun(run, load::rowsOf(*run));
    m_canvas->setRun(run);
    m_minimap->setRun(run);
    m_search->setRun(run);
    m_selection->setRun(run);
}

void TimelineView::fitScrollBar()
{
    if (m_scroll == nullptr) return;
    m_scroll->setPageStep(m_canvas->viewHeight());
    m_scroll->setSingleStep(20);
    m_scroll->setRange(0, std::max(0, m_canvas->contentHeight() - m_canvas->viewHeight()));
    m_scroll->setVisible(m_scroll->maximum() > 0);
}

QString TimelineView::csv() const { return m_selection->table().csv(); }

bool TimelineView::isSettled() const
{
    return m_run && (m_run->analysis || m_run->postponed) && m_canvas->lastPaintNs() > 0 && m_strips->isSettled() &&
           m_selection->isSettled() && m_search->isSettled();
}

void TimelineView::find(bool forward)
{
    const auto& selected = m_canvas->selectedBar();
    const Interval window = context().navigator.window();
    m_search->find(forward, selected ? selected->event.begin + (forward ? 1 : 0) : forward ? window.begin : window.end);
}

void TimelineView::showHit(const load::Hit& hit)
{
    for (std::size_t row = 0; row < m_strips->rows().size(); ++row) {
        const auto& tracks = m_strips->rows()[row].tracks;
        const timeline::RowKind kind = m_strips->rows()[row].kind;
        if (kind == timeline::RowKind::Rank || std::find(tracks.begin(), tracks.end(), hit.track) == tracks.end()) continue;
        m_canvas->selectBar(row, hit.bar);
        break;
    }
    const Interval window = context().navigator.window();
    const Interval event = hit.bar.when();
    const Nanos length = std::min(window.length(), std::max<Nanos>(20 * event.length(), 1'000'000));
    if (window.contains(event.begin) && window.length() <= length * 4) return;
    const Nanos begin = event.begin - length / 2;
    context().navigator.showWindow({begin, begin + length});
}

}  // namespace flowgauge::widgets
