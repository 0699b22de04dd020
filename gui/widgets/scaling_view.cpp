// SPDX-License-Identifier: MIT
#include "gui/widgets/scaling_view.h"

#include "gui/models/document_figures.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/widgets/chart_widget.h"
#include "gui/widgets/side_by_side.h"
#include "gui/widgets/table_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>

namespace flowgauge::widgets {

namespace {

constexpr int barsHeight = 220;
constexpr int timesHeight = 170;

void clear(QLayout& layout)
{
    while (QLayoutItem* item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void put(QGridLayout& grid, timeline::Chart chart, int columns, int height)
{
    auto* widget = new ChartWidget;
    widget->setChart(std::move(chart));
    widget->setMinimumHeight(height);
    const int at = grid.count();
    grid.addWidget(widget, at / columns, at % columns);
}

}  // namespace

ScalingView::ScalingView(const ViewContext& context)
    : View(context),
      m_lead(new QLabel),
      m_problem(new QLabel),
      m_list(new QListWidget),
      m_add(new QPushButton(tr("Add runs…"))),
      m_remove(new QPushButton(tr("Remove"))),
      m_bars(new QGridLayout),
      m_times(new QGridLayout),
      m_tables(new QTabWidget),
      m_sides(new SideBySide(context))
{
    build();
    connect(m_add, &QPushButton::clicked, this, &ScalingView::chooseRun);
    connect(m_remove, &QPushButton::clicked, this, &ScalingView::removeRun);
}

void ScalingView::chooseRun()
{
    const QString from = m_run ? QFileInfo(QString::fromStdString(m_run->path.string())).absolutePath() : QString();
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Add a run's folder"), from);
    if (!folder.isEmpty()) addRun(folder);
}

/// The first in the list is the open run: it stays.
void ScalingView::removeRun()
{
    const int row = m_list->currentRow() - 1;
    if (row < 0 || row >= m_others.size()) return;
    m_others.removeAt(row);
    ask();
}

void ScalingView::build()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(style::margin, style::space, style::margin, style::space);
    column->setSpacing(style::margin);
    for (QLabel* label : {m_lead, m_problem}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_lead->setFont(style::title());
    m_problem->hide();
    column->addWidget(m_lead);
    column->addWidget(m_problem);
    column->addWidget(buildRuns());
    for (QGridLayout* grid : {m_bars, m_times}) {
        grid->setHorizontalSpacing(3 * style::space);
        grid->setVerticalSpacing(style::margin);
    }
    m_tables->setDocumentMode(true);
    m_tables->setMinimumHeight(170);
    column->addLayout(m_bars, 3);
    column->addWidget(m_tables, 2);
    column->addLayout(m_times, 2);
    column->addWidget(m_sides);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

QWidget* ScalingView::buildRuns()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    m_list->setFlow(QListView::LeftToRight);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(2);
    m_list->setFixedHeight(QFontMetrics(style::text()).height() + 14);
    m_list->setAccessibleName(tr("Runs that are compared"));
    row->addWidget(m_list, 1);
    row->addWidget(m_add);
    row->addWidget(m_remove);
    return bar;
}

void ScalingView::setOthers(const QStringList& runs)
{
    m_others = runs;
    m_stale = true;
}

void ScalingView::addRun(const QString& path)
{
    if (m_others.contains(path)) return;
    m_others += path;
    ask();
}

void ScalingView::setRun(const load::RunPtr& run)
{
    const bool grown = m_run && m_run->path == run->path && m_run->extent != run->extent;
    if (grown) m_runs = std::make_shared<load::StudyRuns>();
    m_stale = m_stale || grown || !m_run || m_run->path != run->path || (run->analysis && !m_run->analysis);
    m_run = run;
    isVisible() && m_stale ? ask() : showAnswer();
}

void ScalingView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (m_run && m_stale) ask();
}

void ScalingView::listRuns()
{
    m_list->clear();
    if (m_run) m_list->addItem(QString::fromStdString(m_run->name));
    for (const QString& path : m_others) {
        auto* item = new QListWidgetItem(QFileInfo(path).fileName(), m_list);
        item->setToolTip(path);
    }
    m_remove->setEnabled(!m_others.isEmpty());
}

std::vector<std::string> ScalingView::paths() const
{
    std::vector<std::string> paths{m_run->path.string()};
    for (const QString& path : m_others) paths.push_back(path.toStdString());
    return paths;
}

void ScalingView::ask()
{
    listRuns();
    if (!m_run || !m_run->analysis) return showAnswer();
    if (m_asked) *m_asked = true;
    m_stale = false;
    m_lead->setText(tr("reading %1 runs…").arg(1 + m_others.size()));
    m_asked = context().service.ask(
        this, [runs = m_runs, paths = paths()](store::RunStore&, const load::Cancel& cancel) { return runs->answer(paths, cancel); },
        [this](load::StudyAnswer answer) {
            m_answer = std::move(answer);
            showAnswer();
            m_sides->setRuns(m_runs, paths());
        });
}

void ScalingView::showAnswer()
{
    if (load::isAwaited(m_asked)) return;
    const QString warning = QString::fromStdString(m_answer.document.warning);
    QStringList problems;
    if (!warning.isEmpty()) problems += tr("SIMULATION: %1").arg(warning);
    for (const std::string& failure : m_answer.failures) problems += QString::fromStdString(failure);
    m_problem->setText(models::unbroken(problems.join('\n')));
    m_problem->setVisible(!problems.isEmpty());
    m_problem->setForegroundRole(style::warningRole);
    m_lead->setText(
        m_answer.runs > 1
            ? models::unbroken(QString::fromStdString(m_answer.document.lead))
            : tr("One run alone does not scale. Add runs of the same job on other numbers of nodes, here or on the command line: "
                 "flowgauge-gui run-1node run-2nodes run-4nodes"));
    showCharts();
    showTables();
}

void ScalingView::showCharts()
{
    clear(*m_bars);
    clear(*m_times);
    for (const report::Chart& chart : models::blocksOf<report::Chart>(m_answer.document)) {
        const bool overTime = chart.categories.empty();
        put(overTime ? *m_times : *m_bars, models::chartOf(chart), 2, overTime ? timesHeight : barsHeight);
        if (chart.id == "throughput") put(*m_bars, models::chartOf(m_answer.efficiency), 2, barsHeight);
    }
}

void ScalingView::addTable(const report::Table& table, const QString& title)
{
    auto* panel = new TablePanel({}, models::columnsOf(table));
    panel->setRows(models::rowsOf(table));
    QStringList notes;
    for (const std::string& note : table.notes) notes += QString::fromStdString(note);
    panel->setNote(notes.join(' '));
    m_tables->addTab(panel, title);
}

void ScalingView::showTables()
{
    while (m_tables->count() > 0) delete m_tables->widget(0);  // clear() would keep the pages
    for (const report::Section& section : m_answer.document.sections)
        for (const report::Block& block : section.blocks)
            if (const auto* table = std::get_if<report::Table>(&block))
                addTable(*table, QString::fromStdString(table->title.empty() ? section.title : table->title));
    m_tables->setVisible(m_tables->count() > 0);
}

QString ScalingView::csv() const
{
    const auto* panel = qobject_cast<TablePanel*>(m_tables->currentWidget());
    return panel != nullptr ? panel->csv() : QString();
}

bool ScalingView::isSettled() const { return m_run && m_run->analysis && !load::isAwaited(m_asked) && m_sides->isSettled() && !m_stale; }

}  // namespace flowgauge::widgets
