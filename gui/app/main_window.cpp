// SPDX-License-Identifier: MIT
#include "gui/app/main_window.h"

#include "analyzer/report/units.h"
#include "gui/app/recent_runs.h"
#include "gui/app/views.h"
#include "gui/app/welcome_page.h"
#include "gui/load/epochs_data.h"
#include "gui/models/measure.h"
#include "gui/state/command_line.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>

namespace flowgauge::app {

namespace {

constexpr int liveIntervalMs = 3000;

QString plural(std::int64_t number, const char* one, const char* many)
{
    return QString::fromStdString(report::count(number)) + " " + (number == 1 ? one : many);
}

}  // namespace

QString aboutRun(const findings::RunSummary& summary)
{
    QStringList parts;
    if (!summary.program.empty()) parts += QString::fromStdString(summary.program);
    const QString who = summary.ranks > 0 ? plural(summary.ranks, "rank", "ranks") : plural(summary.processes, "process", "processes");
    parts += who + " on " + plural(summary.hosts, "host", "hosts");
    if (!summary.epochs.empty()) parts += plural(static_cast<std::int64_t>(summary.epochs.size()), "epoch", "epochs");
    parts += summary.wall > 0 ? QString::fromStdString(report::duration(summary.wall)) : QStringLiteral("no time recorded");
    return parts.join(", ") + "    recorded " + QString::fromStdString(report::day(summary.recordedUnixNs));
}

MainWindow::MainWindow(const Options& options)
{
    setAcceptDrops(true);
    setWindowTitle("Flowgauge");
    m_pages = new QStackedWidget;
    m_welcome = new WelcomePage;
    m_pages->addWidget(m_welcome);
    setCentralWidget(m_pages);
    buildBar();
    buildViews();
    buildStatus();
    buildActions();
    connectService();
    restoreLayout(options);
    m_live.setInterval(liveIntervalMs);
    for (widgets::View* view : m_views) view->setOthers(options.runs.mid(1));
    if (!options.runs.isEmpty()) openRunAt(options.runs.front(), options.state);
}

MainWindow::~MainWindow()
{
    m_service.disconnect(this);
    m_navigator.disconnect(this);
    m_service.close();
}

void MainWindow::connectService()
{
    connect(&m_service, &load::RunService::progress, this, [this](double share, const QString& what) {
        m_progress->setRange(0, share < 0 ? 0 : 100);
        m_progress->setValue(static_cast<int>(share * 100));
        m_progress->setFormat(what + " %p%");
        m_progress->setVisible(!m_reloading);
        m_cancel->setVisible(!m_reloading);
        if (!m_reloading) statusBar()->showMessage(what + "…");
    });
    connect(&m_service, &load::RunService::opened, this, [this](const load::RunPtr& run) { takeRun(run, true); });
    connect(&m_service, &load::RunService::analysed, this, [this](const load::RunPtr& run) { takeRun(run, false); });
    connect(&m_service, &load::RunService::postponed, this, [this](const load::RunPtr& run) {
        m_progress->hide();
        m_cancel->hide();
        showMessage(QString::fromStdString(run->pending));
    });
    connect(&m_service, &load::RunService::failed, this, &MainWindow::showProblem);
    connect(&m_service, &load::RunService::readFailed, this,
            [this](const QString& why) { showMessage(tr("The run can no longer be read: %1").arg(why)); });
    connect(&m_service, &load::RunService::waiting, this, [this](int seconds) {
        if (seconds == 0) return statusBar()->clearMessage();
        statusBar()->showMessage(tr("The disk has not answered for %1 s. What is shown stays; the rest comes when it does.").arg(seconds));
    });
    connect(&m_live, &QTimer::timeout, this, [this] {
        const bool running = m_service.run() && m_service.run()->running;
        if (m_following && running && !m_service.isOpening()) reload();
    });
}

void MainWindow::openRun(const QString& path)
{
    state::ViewState fresh;
    fresh.view = m_navigator.state().view;
    openRunAt(path, fresh);
}

void MainWindow::openRunAt(const QString& path, const state::ViewState& state)
{
    m_path = path;
    m_wanted = state;
    if (m_wanted.view.empty()) m_wanted.view = app::views().front().id;
    m_reloading = false;
    m_service.open(path);
}

void MainWindow::showCost(const findings::RunSummary& summary)
{
    const findings::Cost& cost = summary.cost;
    QString text =
        tr("%1 of %2 events lost")
            .arg(QString::fromStdString(report::count(cost.lost)), QString::fromStdString(report::count(cost.events + cost.lost)));
    if (cost.cpuShare.known())
        text += tr("   ·   recording cost %1 of CPU").arg(QString::fromStdString(report::share(cost.cpuShare.value())));
    m_cost->setText(text);
    QStringList absent;
    for (const findings::NotMeasured& one : summary.notMeasured)
        absent += QString::fromStdString(one.what + (one.why.empty() ? std::string() : " (" + one.why + ")"));
    m_cost->setToolTip(absent.isEmpty() ? QString() : tr("Not measured:\n%1").arg(absent.join('\n')));
}

void MainWindow::takeRun(const load::RunPtr& run, bool first)
{
    if (first && m_reloading && !run->postponed) return;  // what is shown stays until the whole is there
    statusBar()->clearMessage();
    if (!first) {
        m_progress->hide();
        m_cancel->hide();
        showCost(run->analysis->report.summary);
    }
    m_title->setText(QString::fromStdString(run->name));
    m_about->setText(run->analysis    ? aboutRun(run->analysis->report.summary)
                     : run->postponed ? tr("causes were not looked for yet")
                                      : tr("looking for causes…"));
    setWindowTitle(QString::fromStdString(run->name) + " – Flowgauge");
    QStringList warnings;
    for (const std::string& warning : run->warnings) warnings += QString::fromStdString(warning);
    if (const std::int64_t every = run->analysis ? run->analysis->facts.everyStep() : 1; every > 1)
        warnings +=
            tr("A thinned recording: one of %1 steps is written. What lies between them is not known; shares are of the written ones.")
                .arg(every);
    showMessage(warnings.join("\n"));
    m_navigator.setWhole(run->extent);
    if (first && !m_reloading) m_navigator.reset(m_wanted);
    for (widgets::View* view : m_views) view->setRun(run);
    m_pages->setCurrentIndex(1);
    if (first) rememberRun(m_path);
    m_reloading = false;
    run->running && !run->postponed ? m_live.start() : m_live.stop();  // a count of so many takes longer than that
}

void MainWindow::showProblem(const QString& why)
{
    m_progress->hide();
    m_cancel->hide();
    statusBar()->clearMessage();
    if (m_service.run() && QString::fromStdString(m_service.run()->path.string()) == m_path) {
        showMessage(why);  // it was open already: what is shown stays
        m_reloading = false;
    } else {
        m_service.close();
        m_pages->setCurrentIndex(0);
        m_welcome->showRecent();
        m_welcome->showProblem(m_path, why);
    }
    emit failed(why);
}

void MainWindow::showMessage(const QString& text)
{
    m_message->setText(models::unbroken(text));
    m_message->setVisible(!text.isEmpty());
}

widgets::View* MainWindow::currentView() const
{
    const int tab = m_tabs->currentIndex();
    return tab < 0 ? nullptr : m_views[static_cast<std::size_t>(tab)];
}

void MainWindow::showView(const std::string& id) { m_navigator.setView(id); }

void MainWindow::follow()
{
    const state::ViewState& state = m_navigator.state();
    for (std::size_t i = 0; i < m_views.size(); ++i)
        if (state.view == app::views()[i].id && m_stack->currentWidget() != m_views[i]) {
            m_tabs->setCurrentIndex(static_cast<int>(i));
            m_stack->setCurrentWidget(m_views[i]);
        }
    QStringList parts;
    parts += state.window ? tr("shown %1").arg(QString::fromStdString(report::when(*state.window))) : tr("shown: the whole run");
    if (!state.ranks.empty()) parts += QString::fromStdString(report::ranks(state.ranks));
    if (state.selection)
        parts += tr("selected %1 (%2)")
                     .arg(QString::fromStdString(report::when(*state.selection)),
                          QString::fromStdString(report::duration(state.selection->length())));
    m_where->setText(parts.join("   ·   "));
}

QString MainWindow::commandLine() const { return QString::fromStdString(state::commandLine(m_path.toStdString(), m_navigator.state())); }

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    openRun(event->mimeData()->urls().front().toLocalFile());
}

}  // namespace flowgauge::app
