// SPDX-License-Identifier: MIT
#include "gui/widgets/timeline_view.h"

#include "analyzer/report/units.h"
#include "gui/load/rows.h"
#include "gui/style/theme.h"
#include "gui/widgets/minimap.h"
#include "gui/widgets/strip_cache.h"
#include "gui/widgets/table_panel.h"
#include "gui/widgets/timeline_canvas.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace flowgauge::widgets {

namespace {

std::vector<models::Column> selectionColumns()
{
    return {{"what", "Name of the event, file or kernel", false},
            {"kind", "Kind of event", false},
            {"count", "Events that overlap the selection", true},
            {"time", "Their time within the selection, added up over threads and ranks", true},
            {"share", "Of the selection's length", true},
            {"mean", "Mean duration, as the ones after it of whole events", true},
            {"p50", "Half of them are shorter", true},
            {"p99", "99 of 100 are shorter", true},
            {"longest", "The longest one", true},
            {"bytes", "What they moved", true}};
}

models::Cell cell(const std::string& text, double value) { return {QString::fromStdString(text), value}; }
models::Cell words(const std::string& text) { return {QString::fromStdString(text), QVariant()}; }
models::Cell duration(Nanos value) { return cell(report::duration(value), static_cast<double>(value)); }

std::vector<models::Cell> rowOfSum(const load::NamedSum& named, Interval selection)
{
    const timeline::NameSum& sum = named.sum;
    std::string kind(rowOf(sum.kind).sqlName);
    std::replace(kind.begin(), kind.end(), '_', ' ');
    const double share = static_cast<double>(sum.total) / static_cast<double>(std::max<Nanos>(1, selection.length()));
    return {words(named.name),
            words(kind),
            cell(report::count(sum.count), static_cast<double>(sum.count)),
            duration(sum.total),
            cell(report::share(share), share),
            duration(sum.count > 0 ? sum.whole / sum.count : 0),
            duration(sum.durations.percentile(0.5)),
            duration(sum.durations.percentile(0.99)),
            duration(sum.longest),
            cell(sum.bytes > 0 ? report::bytes(static_cast<double>(sum.bytes)) : "–", static_cast<double>(sum.bytes))};
}

}  // namespace

TimelineView::TimelineView(const ViewContext& context)
    : View(context),
      m_strips(new StripCache(context.service, this)),
      m_canvas(new TimelineCanvas(*m_strips, context.navigator)),
      m_minimap(new Minimap(context.navigator))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, style::space / 2, 0, 0);
    column->setSpacing(style::space / 2);
    column->addWidget(buildTools());
    column->addWidget(m_minimap);
    m_splitter = new QSplitter(Qt::Vertical);
    m_splitter->addWidget(buildPicture());
    m_splitter->addWidget(buildBottom());
    m_splitter->setStretchFactor(0, 4);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({640, 190});
    column->addWidget(m_splitter, 1);
    buildKeys();
    m_selectionTimer.setSingleShot(true);
    connect(&m_selectionTimer, &QTimer::timeout, this, &TimelineView::askForSelection);
    connect(&context.navigator, &Navigator::changed, this, &TimelineView::followState);
}

QWidget* TimelineView::buildTools()
{
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(style::margin, 0, style::margin, 0);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search names ( / )"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(260);
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Show rows: words, !not"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(220);
    m_found = new QLabel;
    m_found->setFont(style::note());
    auto* help = new QLabel(tr("W S zoom   A D move   drag selects   Ctrl-drag zooms   double click fits"));
    help->setFont(style::note());
    row->addWidget(m_search);
    row->addWidget(m_found);
    row->addStretch();
    row->addWidget(help);
    row->addStretch();
    row->addWidget(m_filter);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) { context().navigator.setSearch(text.toStdString()); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(true); });
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
    m_table = new TablePanel(tr("What happened in the selection?"), selectionColumns());
    m_table->setNote(tr("Drag over the picture to select a piece of time."));
    column->addWidget(m_details);
    column->addWidget(m_table, 1);
    connect(m_canvas, &TimelineCanvas::hovered, m_details, &QLabel::setText);
    return bottom;
}

void TimelineView::buildKeys()
{
    const auto key = [this](const char* keys, auto act) {
        auto* shortcut = new QShortcut(QKeySequence(keys), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    key("/", [this] { m_search->setFocus(); });
    key("F3", [this] { find(true); });
    key("Shift+F3", [this] { find(false); });
    key("Shift+Return", [this] { find(false); });
}

void TimelineView::setRun(const load::RunPtr& run)
{
    m_run = run;
    m_strips->setRun(run, load::rowsOf(*run));
    m_canvas->setRun(run);
    m_minimap->setRun(run);
    m_answered = {};
    followState();
}

void TimelineView::followState()
{
    const state::ViewState& state = context().navigator.state();
    if (m_search->text().toStdString() != state.search) m_search->setText(QString::fromStdString(state.search));
    if (!m_run) return;
    if (!state.selection) {
        if (m_selectionAsked) *m_selectionAsked = true;
        m_asking = false;
        m_answered = {};
        m_table->setRows({});
        m_table->setNote(tr("Drag over the picture to select a piece of time."));
    } else if (*state.selection != m_answered || state.ranks != m_answeredRanks) {
        constexpr int calmMs = 120;
        m_answered = *state.selection;
        m_answeredRanks = state.ranks;
        m_selectionTimer.start(calmMs);
    }
}

void TimelineView::fitScrollBar()
{
    if (m_scroll == nullptr) return;
    m_scroll->setPageStep(m_canvas->viewHeight());
    m_scroll->setSingleStep(20);
    m_scroll->setRange(0, std::max(0, m_canvas->contentHeight() - m_canvas->viewHeight()));
    m_scroll->setVisible(m_scroll->maximum() > 0);
}

void TimelineView::askForSelection()
{
    if (!m_run || !context().navigator.state().selection) return;
    if (m_selectionAsked) *m_selectionAsked = true;
    m_asking = true;
    m_table->setNote(tr("counting…"));
    const Interval selection = *context().navigator.state().selection;
    m_selectionAsked = context().service.ask(
        this,
        [tracks = m_canvas->shownTracks(), selection](store::RunStore& store, const load::Cancel& cancel) {
            return load::selectionOf(store, tracks, selection, cancel);
        },
        [this](const load::SelectionAnswer& answer) {
            m_asking = false;
            showSelection(answer);
        });
}

void TimelineView::showSelection(const load::SelectionAnswer& answer)
{
    std::vector<std::vector<models::Cell>> rows;
    for (const load::NamedSum& sum : answer.sums) rows.push_back(rowOfSum(sum, answer.selection));
    m_table->setRows(std::move(rows));
    m_table->setNote(QString::fromStdString(report::when(answer.selection)) + ", " +
                     QString::fromStdString(report::duration(answer.selection.length())) +
                     (answer.sums.empty() ? tr(": no event of the shown rows lies in it.") : QString()));
}

QString TimelineView::csv() const { return m_table->csv(); }

bool TimelineView::isSettled() const
{
    return m_run && m_run->analysis && m_canvas->lastPaintNs() > 0 && m_strips->isSettled() && !m_asking && !m_selectionTimer.isActive();
}

void TimelineView::find(bool forward)
{
    if (!m_run || m_search->text().isEmpty()) return;
    if (m_searchAsked) *m_searchAsked = true;
    load::SearchQuestion question;
    question.tracks = m_canvas->shownTracks();
    question.text = m_search->text().toStdString();
    question.forward = forward;
    question.whole = m_run->extent;
    const auto& selected = m_canvas->selectedBar();
    question.from = selected  ? selected->event.begin + (forward ? 1 : 0)
                    : forward ? context().navigator.window().begin
                              : context().navigator.window().end;
    m_found->setText(tr("searching…"));
    m_searchAsked = context().service.ask(
        this, [question](store::RunStore& store, const load::Cancel& cancel) { return load::findEvent(store, question, cancel); },
        [this](const std::optional<load::Hit>& hit) { showHit(hit); });
}

void TimelineView::showHit(const std::optional<load::Hit>& hit)
{
    m_found->setText(hit ? tr("found at %1").arg(QString::fromStdString(timeline::timeLabel(hit->bar.event.begin, 1'000'000)))
                         : tr("no further one"));
    if (!hit) return;
    for (std::size_t row = 0; row < m_strips->rows().size(); ++row) {
        const auto& tracks = m_strips->rows()[row].tracks;
        const timeline::RowKind kind = m_strips->rows()[row].kind;
        if (kind == timeline::RowKind::Rank || std::find(tracks.begin(), tracks.end(), hit->track) == tracks.end()) continue;
        m_canvas->selectBar(row, hit->bar);
        break;
    }
    const Interval window = context().navigator.window();
    const Interval event = hit->bar.when();
    const Nanos length = std::min(window.length(), std::max<Nanos>(20 * event.length(), 1'000'000));
    if (window.contains(event.begin) && window.length() <= length * 4) return;
    const Nanos begin = event.begin - length / 2;
    context().navigator.showWindow({begin, begin + length});
}

}  // namespace flowgauge::widgets
