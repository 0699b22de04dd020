// SPDX-License-Identifier: MIT
#include "gui/widgets/epochs_view.h"

#include "gui/models/epoch_figures.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/rank_picker.h"
#include "gui/widgets/table_panel.h"

#include <QGridLayout>
#include <QLabel>

#include <array>

namespace flowgauge::widgets {

EpochsView::EpochsView(const ViewContext& context)
    : View(context),
      m_picker(new RankPicker(context.navigator)),
      m_lead(new QLabel),
      m_times(new ChartWidget),
      m_rates(new ChartWidget),
      m_bytes(new ChartWidget),
      m_caches(new ChartWidget),
      m_table(new TablePanel(tr("Which epoch is unlike the others?"), models::epochColumns()))
{
    build();
    connect(&context.navigator, &Navigator::changed, this, &EpochsView::follow);
}

void EpochsView::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(style::margin, style::space, style::margin, style::space);
    column->setSpacing(style::space);
    auto* top = new QHBoxLayout;
    m_lead->setWordWrap(true);
    m_lead->setTextInteractionFlags(Qt::TextSelectableByMouse);
    top->addWidget(m_lead, 1);
    top->addWidget(m_picker);
    column->addLayout(top);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(3 * style::space);
    grid->setVerticalSpacing(style::margin);
    const std::array charts{m_times, m_rates, m_bytes, m_caches};
    for (std::size_t i = 0; i < charts.size(); ++i) {
        grid->addWidget(charts[i], static_cast<int>(i / 2), static_cast<int>(i % 2));
        connect(charts[i], &ChartWidget::picked, this, [this](int slot) { goTo(static_cast<std::size_t>(slot)); });
    }
    grid->setColumnStretch(0, 3);
    grid->setColumnStretch(1, 2);
    column->addLayout(grid, 3);
    column->addWidget(m_table, 2);
    connect(m_table, &TablePanel::picked, this, [this](int row) { goTo(static_cast<std::size_t>(row)); });
}

void EpochsView::setRun(const load::RunPtr& run)
{
    const bool other = m_run != run;
    m_run = run;
    if (other) m_flows.clear();
    m_picker->setRanks(run->ranks());
    m_ranks = context().navigator.state().ranks;
    m_epochs.clear();
    if (run->analysis) m_epochs = load::epochFigures(*run->analysis, m_ranks);
    if (other && !m_epochs.empty()) askFlows();
    show();
}

void EpochsView::askFlows()
{
    std::vector<Interval> epochs;
    for (const load::EpochFigures& epoch : m_epochs) epochs.push_back(epoch.when);
    if (m_asked) *m_asked = true;
    m_asked = context().service.ask(
        this, [epochs](store::RunStore& store, const load::Cancel& cancel) { return load::epochFlows(store, epochs, cancel); },
        [this](std::vector<load::EpochFlow> flows) {
            m_flows = std::move(flows);
            show();
        });
}

void EpochsView::show()
{
    timeline::Chart times = models::epochTimes(m_epochs);
    if (m_run && !m_run->analysis) times.empty = m_run->pending;
    m_times->setChart(std::move(times));
    m_rates->setChart(models::epochRates(m_epochs));
    m_bytes->setChart(models::epochBytes(m_epochs, m_flows));
    m_caches->setChart(models::epochCaches(m_epochs, m_flows));
    m_table->setRows(models::epochRows(m_epochs, m_flows));
    m_table->setVisible(!m_epochs.empty());
    m_lead->setText(models::unbroken(models::coldSentence(m_epochs)));
    follow();
}

void EpochsView::follow()
{
    const state::ViewState& state = context().navigator.state();
    if (m_run && m_run->analysis && state.ranks != m_ranks) {
        m_ranks = state.ranks;
        m_epochs = load::epochFigures(*m_run->analysis, m_ranks);
        return show();
    }
    std::function<bool(std::size_t)> marked;
    if (state.window)
        marked = [this, window = *state.window](std::size_t slot) {
            return slot < m_epochs.size() && m_epochs[slot].when.overlaps(window);
        };
    for (ChartWidget* chart : {m_times, m_rates, m_bytes, m_caches}) chart->setMarked(marked);
}

void EpochsView::goTo(std::size_t epoch)
{
    if (epoch < m_epochs.size()) context().navigator.showWindow(m_epochs[epoch].when);
}

QString EpochsView::csv() const { return m_epochs.empty() ? QString() : m_table->csv(); }

bool EpochsView::isSettled() const { return m_run && m_run->analysis && !load::isAwaited(m_asked); }

}  // namespace flowgauge::widgets
