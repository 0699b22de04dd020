// SPDX-License-Identifier: MIT
#include "gui/widgets/network_view.h"

#include "gui/models/network_figures.h"
#include "gui/models/storage_figures.h"
#include "gui/style/theme.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/grid_widget.h"
#include "gui/widgets/table_panel.h"

#include <QComboBox>
#include <QGridLayout>

namespace flowgauge::widgets {

namespace {
constexpr int calmMs = 120;  // of a gesture only the last window is asked for
constexpr std::size_t slices = 240;
}  // namespace

NetworkView::NetworkView(const ViewContext& context)
    : View(context),
      m_host(new QComboBox),
      m_received(new ChartWidget),
      m_sent(new ChartWidget),
      m_collectives(new TablePanel(tr("Which collectives cost time: waiting, or moving?"), models::collectiveColumns())),
      m_ports(new TablePanel(tr("Which ports carried it?"), models::portColumns())),
      m_matrix(new GridWidget)
{
    build();
    m_calm.setSingleShot(true);
    m_calm.setInterval(calmMs);
    connect(&m_calm, &QTimer::timeout, this, &NetworkView::follow);
    connect(&context.navigator, &Navigator::changed, this, [this] { m_calm.start(); });
    connect(m_host, &QComboBox::activated, this, &NetworkView::showFlow);
    for (ChartWidget* chart : {m_received, m_sent})
        connect(chart, &ChartWidget::timePicked, this, [this](Interval when) { this->context().navigator.showWindow(when); });
}

void NetworkView::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(style::margin, style::space, style::margin, style::space);
    m_host->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_host->setAccessibleName(tr("Hosts"));
    auto* top = new QHBoxLayout;
    top->addStretch(1);
    top->addWidget(m_host);
    column->addLayout(top);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(3 * style::space);
    grid->setVerticalSpacing(style::margin);
    grid->addWidget(m_received, 0, 0);
    grid->addWidget(m_sent, 0, 1);
    grid->addWidget(m_collectives, 1, 0, 1, 2);
    grid->addWidget(m_ports, 2, 0);
    grid->addWidget(m_matrix, 2, 1);
    for (int i = 0; i < 3; ++i) grid->setRowStretch(i, i == 1 ? 2 : 3);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid, 1);
}

void NetworkView::setRun(const load::RunPtr& run)
{
    const bool other = m_run != run;
    m_run = run;
    m_stale = m_stale || other;
    follow();
    showFigures();
}

void NetworkView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    follow();
}

void NetworkView::follow()
{
    if (!m_run) return;
    const Interval window = context().navigator.window();
    m_stale = m_stale || window != m_window;
    if (!m_stale || !isVisible()) return;
    m_stale = false;
    m_window = window;
    ask();
}

void NetworkView::ask()
{
    if (m_asked) *m_asked = true;
    m_asked = context().service.ask(
        this,
        [run = m_run, window = m_window](store::RunStore& store, const load::Cancel& cancel) {
            const facts::RunFacts* facts = run->analysis ? &run->analysis->facts : nullptr;
            Figures figures;
            figures.flow = load::networkFlow(store, facts, window, slices);
            if (facts != nullptr) figures.collectives = load::collectives(*facts, window);
            if (facts != nullptr) figures.matrix = load::rankMatrix(store, *run, window, cancel);
            return figures;
        },
        [this](Figures figures) {
            m_figures = std::move(figures);
            fillHosts();
            showFigures();
        });
}

void NetworkView::fillHosts()
{
    const QString shown = m_host->currentText();
    m_host->clear();
    m_host->addItem(tr("all hosts together"));
    for (const load::HostFlow& host : m_figures.flow.hosts) m_host->addItem(QString::fromStdString(host.host));
    m_host->setCurrentIndex(std::max(0, m_host->findText(shown)));
    m_host->setVisible(m_figures.flow.hosts.size() > 1);
}

void NetworkView::showFlow()
{
    std::optional<std::size_t> host;
    if (m_host->currentIndex() > 0) host = static_cast<std::size_t>(m_host->currentIndex() - 1);
    std::vector<timeline::ChartBand> bands;
    if (m_run && m_run->analysis) bands = models::bandsOf(m_run->analysis->facts);
    m_received->setChart(models::networkChart(m_figures.flow, host, models::Direction::Received, bands));
    m_sent->setChart(models::networkChart(m_figures.flow, host, models::Direction::Sent, std::move(bands)));
}

void NetworkView::showFigures()
{
    showFlow();
    m_ports->setRows(models::portRows(m_figures.flow));
    m_ports->setNote(m_figures.flow.ports.empty() ? tr("No port moved anything that was sampled.") : QString());
    m_collectives->setRows(models::collectiveRows(m_figures.collectives));
    m_collectives->setNote(!m_run             ? QString()
                           : !m_run->analysis ? QString::fromStdString(m_run->pending)
                           : !m_figures.collectives.empty()
                               ? QString()
                               : tr("No collective in this time. Calls of MPI and NCCL would be listed here."));
    const bool sends = !m_figures.matrix.sent.empty();
    const bool waits = std::any_of(m_figures.matrix.waited.begin(), m_figures.matrix.waited.end(), [](double value) { return value > 0; });
    m_matrix->setGrid(sends && !waits ? models::sentGrid(m_figures.matrix) : models::waitGrid(m_figures.matrix));
}

QString NetworkView::csv() const { return m_figures.collectives.empty() ? models::csvOf(m_received->chart()) : m_collectives->csv(); }

bool NetworkView::isSettled() const { return m_run && m_run->analysis && !m_stale && !load::isAwaited(m_asked) && !m_calm.isActive(); }

}  // namespace flowgauge::widgets
