// SPDX-License-Identifier: MIT
#include "gui/widgets/selection_panel.h"

#include "analyzer/report/units.h"
#include "gui/models/selection_figures.h"
#include "gui/models/storage_figures.h"
#include "gui/style/theme.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/table_panel.h"

#include <QElapsedTimer>
#include <QHBoxLayout>

#include <bit>

namespace flowgauge::widgets {

namespace {

constexpr int calmMs = 120;
constexpr int histogramPx = 340;

/// The bar of durationsChart in which a duration lies.
std::size_t slotOf(const store::Histogram& byLog2, Nanos duration)
{
    std::size_t first = 0;
    while (first + 1 < byLog2.size() && byLog2[first] == 0) ++first;
    const auto bin = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(std::max<Nanos>(0, duration))));
    return bin < first ? byLog2.size() : bin - first;
}

}  // namespace

SelectionPanel::SelectionPanel(const ViewContext& context, std::function<std::vector<store::Id>()> tracks, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_tracks(std::move(tracks)),
      m_table(new TablePanel(tr("What happened in the selection?"), models::selectionColumns())),
      m_histogram(new ChartWidget)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(style::margin);
    row->addWidget(m_table, 1);
    row->addWidget(m_histogram);
    m_histogram->setFixedWidth(histogramPx);
    m_histogram->hide();
    m_calm.setSingleShot(true);
    connect(&m_calm, &QTimer::timeout, this, &SelectionPanel::ask);
    connect(m_table, &TablePanel::picked, this, [this](int picked) {
        m_pointed.reset();
        showHistogram(static_cast<std::size_t>(picked));
    });
    connect(&context.navigator, &Navigator::changed, this, &SelectionPanel::follow);
}

void SelectionPanel::setRun(const load::RunPtr& run)
{
    m_run = run;
    m_told = false;
    follow();
}

void SelectionPanel::follow()
{
    const state::ViewState& state = m_context.navigator.state();
    if (!m_run || (m_told && state.selection == m_counted && state.ranks == m_countedRanks)) return;
    m_told = true;
    if (m_asked) *m_asked = true;
    m_counted = state.selection;
    m_countedRanks = state.ranks;
    if (state.selection) return m_calm.start(calmMs);
    m_calm.stop();
    m_answer = {};
    m_table->setRows({});
    m_table->setNote(tr("Drag over the picture to select a piece of time."));
    m_histogram->hide();
}

void SelectionPanel::ask()
{
    if (!m_counted) return;
    m_table->setNote(tr("counting…"));
    QElapsedTimer timer;
    timer.start();
    m_asked = m_context.service.ask(
        this,
        [tracks = m_tracks(), selection = *m_counted](store::RunStore& store, const load::Cancel& cancel) {
            return load::selectionOf(store, tracks, selection, cancel);
        },
        [this, timer](load::SelectionAnswer answer) {
            m_countMs = timer.elapsed();
            show(std::move(answer));
        });
}

QString SelectionPanel::noteOf() const
{
    QString note = QString::fromStdString(report::when(m_answer.selection) + ", " + report::duration(m_answer.selection.length()));
    if (m_run->analysis)
        if (const QString shares = models::sharesOf(*m_run->analysis, m_answer.selection, m_countedRanks); !shares.isEmpty())
            note += ": " + shares;
    return m_answer.sums.empty() ? note + tr(". No event of the shown rows lies in it.") : note;
}

void SelectionPanel::show(load::SelectionAnswer answer)
{
    m_answer = std::move(answer);
    m_table->setRows(models::selectionRows(m_answer));
    m_table->setNote(noteOf());
    m_histogram->setVisible(!m_answer.sums.empty());
    if (m_answer.sums.empty()) return;
    m_pointed ? pointAt(m_pointed->name, m_pointed->kind, m_pointed->duration) : showHistogram(0);
}

void SelectionPanel::pointAt(const std::string& name, Kind kind, Nanos duration)
{
    m_pointed = Pointed{name, kind, duration};
    for (std::size_t row = 0; row < m_answer.sums.size(); ++row)
        if (m_answer.sums[row].name == name && m_answer.sums[row].sum.kind == kind) return showHistogram(row);
    if (!m_answer.sums.empty()) showHistogram(0);
}

void SelectionPanel::showHistogram(std::size_t row)
{
    if (row >= m_answer.sums.size()) return;
    const load::NamedSum& named = m_answer.sums[row];
    const store::Histogram bins = named.sum.durations.byLog2();
    const bool marks = m_pointed && m_pointed->name == named.name && m_pointed->kind == named.sum.kind;
    m_histogram->setChart(models::durationsChart(bins, named.name));
    m_histogram->setMarked({});
    if (!marks) return;
    m_histogram->setMarked([marked = slotOf(bins, m_pointed->duration)](std::size_t slot) { return slot == marked; });
}

}  // namespace flowgauge::widgets
