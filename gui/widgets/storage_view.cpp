// SPDX-License-Identifier: MIT
#include "gui/widgets/storage_view.h"

#include "analyzer/report/units.h"
#include "gui/models/storage_figures.h"
#include "gui/style/theme.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/grid_widget.h"
#include "gui/widgets/rank_picker.h"
#include "gui/widgets/table_panel.h"

#include <QGridLayout>

namespace flowgauge::widgets {

namespace {
constexpr int calmMs = 120;  // of a gesture only the last window is asked for
constexpr std::size_t slices = 240;
constexpr std::size_t mostFiles = 1000;
}  // namespace

StorageView::StorageView(const ViewContext& context)
    : View(context),
      m_picker(new RankPicker(context.navigator)),
      m_layers(new ChartWidget),
      m_cache(new ChartWidget),
      m_sizes(new ChartWidget),
      m_latency(new ChartWidget),
      m_map(new GridWidget),
      m_files(new TablePanel(tr("Which files are read most, and again?"), models::fileColumns()))
{
    build();
    m_calm.setSingleShot(true);
    m_calm.setInterval(calmMs);
    connect(&m_calm, &QTimer::timeout, this, &StorageView::follow);
    connect(&context.navigator, &Navigator::changed, this, [this] { m_calm.start(); });
}

void StorageView::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(style::margin, style::space, style::margin, style::space);
    auto* top = new QHBoxLayout;
    top->addStretch(1);
    top->addWidget(m_picker);
    column->addLayout(top);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(3 * style::space);
    grid->setVerticalSpacing(style::margin);
    grid->addWidget(m_layers, 0, 0);
    grid->addWidget(m_map, 0, 1);
    grid->addWidget(m_cache, 1, 0);
    grid->addWidget(m_files, 1, 1, 2, 1);
    auto* histograms = new QHBoxLayout;
    histograms->setSpacing(3 * style::space);
    histograms->addWidget(m_sizes);
    histograms->addWidget(m_latency);
    grid->addLayout(histograms, 2, 0);
    for (int i = 0; i < 3; ++i) grid->setRowStretch(i, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid, 1);
    const auto go = [this](Interval when) { context().navigator.showWindow(when); };
    for (ChartWidget* chart : {m_layers, m_cache}) connect(chart, &ChartWidget::timePicked, this, go);
    connect(m_map, &GridWidget::timePicked, this, go);
}

void StorageView::setRun(const load::RunPtr& run)
{
    const bool other = m_run == nullptr || m_run->database != run->database || m_run->extent != run->extent;
    m_run = run;
    m_picker->setRanks(run->ranks());
    if (other) {
        m_reads.reset();
        m_stale = true;
    }
    follow();
    showCharts();
}

void StorageView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    follow();
}

void StorageView::follow()
{
    if (!m_run) return;
    const Interval window = context().navigator.window();
    const std::vector<int> ranks = context().navigator.state().ranks;
    const bool otherWindow = window != m_window || m_stale;
    const bool otherRanks = ranks != m_ranks || m_stale;
    if (!isVisible()) {
        m_stale = m_stale || otherWindow || otherRanks;
        return;
    }
    m_stale = false;
    m_window = window;
    m_ranks = ranks;
    if (otherWindow) askFlow();
    if (otherRanks) askReads();
    if (otherWindow && !otherRanks && m_reads) askMap();
}

void StorageView::askFlow()
{
    if (m_flowAsked) *m_flowAsked = true;
    m_flowAsked = context().service.ask(
        this, [window = m_window](store::RunStore& store, const load::Cancel&) { return load::storageFlow(store, window, slices); },
        [this](load::StorageFlow flow) {
            m_flow = std::move(flow);
            showCharts();
        });
}

void StorageView::askReads()
{
    if (m_readsAsked) *m_readsAsked = true;
    m_readsAsked = context().service.ask(
        this,
        [run = m_run, ranks = m_ranks](store::RunStore& store, const load::Cancel& cancel) {
            return load::storageReads(store, *run, ranks, cancel);
        },
        [this](load::StorageReads reads) {
            m_reads = std::make_shared<const load::StorageReads>(std::move(reads));
            askMap();
            showCharts();
        });
}

void StorageView::askMap()
{
    if (m_mapAsked) *m_mapAsked = true;
    m_mapAsked = context().service.ask(
        this,
        [run = m_run, reads = m_reads, ranks = m_ranks, window = m_window](store::RunStore& store, const load::Cancel& cancel) {
            return load::accessMap(store, load::fileTracks(*run, ranks), reads->files, window, cancel);
        },
        [this](timeline::Grid grid) { m_map->setGrid(std::move(grid)); });
}

void StorageView::showCharts()
{
    const load::Analysis* analysis = m_run ? m_run->analysis.get() : nullptr;
    std::vector<timeline::ChartBand> bands;
    if (analysis != nullptr) bands = models::bandsOf(analysis->facts);
    m_layers->setChart(models::layersChart(m_flow, bands));
    m_cache->setChart(models::cacheChart(m_flow, std::move(bands), analysis != nullptr ? &analysis->facts : nullptr));
    timeline::Chart sizes;
    sizes.question = tr("How large are the reads?").toStdString();
    if (m_run) sizes.empty = m_run->pending;
    if (analysis != nullptr) sizes = models::sizesChart(analysis->facts, m_ranks);
    m_sizes->setChart(std::move(sizes));
    m_latency->setChart(models::latencyChart(m_reads ? m_reads->byLog2 : store::Histogram{}));
    if (!m_reads) return m_files->setNote(tr("reading…"));
    m_files->setRows(models::fileRows(m_reads->files, mostFiles));
    const auto count = static_cast<std::int64_t>(m_reads->files.size());
    m_files->setNote(m_reads->files.empty() ? tr("No data files were read. Files outside of the program's own code count as data.")
                     : m_reads->files.size() > mostFiles
                         ? tr("the %1 with most bytes of %2 files").arg(mostFiles).arg(QString::fromStdString(report::count(count)))
                         : QString());
}

QString StorageView::csv() const { return m_reads && !m_reads->files.empty() ? m_files->csv() : models::csvOf(m_layers->chart()); }

bool StorageView::isSettled() const
{
    const bool awaits = load::isAwaited(m_flowAsked) || load::isAwaited(m_readsAsked) || load::isAwaited(m_mapAsked);
    return m_run && m_run->analysis && !m_stale && !awaits && !m_calm.isActive();
}

}  // namespace flowgauge::widgets
