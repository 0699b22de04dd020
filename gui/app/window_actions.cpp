// SPDX-License-Identifier: MIT
#include "gui/app/command_palette.h"
#include "gui/app/keys_dialog.h"
#include "gui/app/main_window.h"
#include "gui/app/recent_runs.h"
#include "gui/app/views.h"
#include "gui/app/welcome_page.h"
#include "gui/widgets/timeline_canvas.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>

#include <array>

namespace flowgauge::app {

namespace {

/// One thing the window can do. Menus, keys, the palette and the sheet behind `?` are made from the rows.
struct ActionRow {
    const char* menu;
    widgets::KeyRow key;
    void (MainWindow::*act)();
};

constexpr std::array actionRows{
    ActionRow{"Run", {"Open a run's folder…", "Ctrl+O"}, &MainWindow::askForFolder},
    ActionRow{"Run", {"Open a run.db…", "Ctrl+Shift+O"}, &MainWindow::askForFile},
    ActionRow{"Run", {"Reload", "F5"}, &MainWindow::reload},
    ActionRow{"Run", {"Look for causes", "F6"}, &MainWindow::lookForCauses},
    ActionRow{"Run", {"Follow a running job", "Ctrl+L"}, &MainWindow::toggleFollowing},
    ActionRow{"Run", {"Export the picture…", "Ctrl+E"}, &MainWindow::exportPicture},
    ActionRow{"Run", {"Export the table…", "Ctrl+Shift+E"}, &MainWindow::exportTable},
    ActionRow{"Run", {"Copy as command line", "Ctrl+Shift+C"}, &MainWindow::copyCommandLine},
    ActionRow{"Run", {"Close the run", "Ctrl+W"}, &MainWindow::closeRun},
    ActionRow{"Go", {"Back", "Backspace;Alt+Left"}, &MainWindow::goBack},
    ActionRow{"Go", {"Forward", "Alt+Right"}, &MainWindow::goForward},
    ActionRow{"Go", {"The whole run", "0;Home"}, &MainWindow::showWhole},
    ActionRow{"Go", {"Clear selection and ranks", "Escape"}, &MainWindow::clearSelection},
    ActionRow{"Go", {"Next view", "Ctrl+Tab;Ctrl+PgDown"}, &MainWindow::nextView},
    ActionRow{"Go", {"Previous view", "Ctrl+Shift+Tab;Ctrl+PgUp"}, &MainWindow::previousView},
    ActionRow{"Look", {"Light, dark, as the system", "Ctrl+T"}, &MainWindow::cycleTheme},
    ActionRow{"Help", {"All commands", "Ctrl+Shift+P"}, &MainWindow::showPalette},
    ActionRow{"Help", {"Keys", "F1;?"}, &MainWindow::showKeys},
};

/// Draws a view and waits, a few seconds at most, for what it then asks for: a picture is not to lack what is on its way.
void settle(widgets::View& view)
{
    constexpr qint64 patienceMs = 5000;
    QElapsedTimer patience;
    patience.start();
    do {
        (void)view.grab();
        QApplication::processEvents(QEventLoop::ExcludeUserInputEvents, 20);
    } while (!view.isSettled() && patience.elapsed() < patienceMs);
}

}  // namespace

void MainWindow::buildActions()
{
    std::vector<std::pair<QString, QMenu*>> menus;
    for (const ActionRow& row : actionRows) {
        if (menus.empty() || menus.back().first != row.menu) menus.emplace_back(row.menu, menuBar()->addMenu(tr(row.menu)));
        QAction* action = menus.back().second->addAction(tr(row.key.text));
        action->setShortcuts(widgets::keysOf(row.key));
        connect(action, &QAction::triggered, this, [this, act = row.act] { (this->*act)(); });
    }
    auto* recent = new QMenu(tr("Recent runs"), this);
    menus.front().second->insertMenu(menus.front().second->actions().at(2), recent);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    for (std::size_t i = 0; i < m_views.size() && i < 9; ++i) {
        QAction* action = menus[1].second->addAction(tr("View: %1").arg(app::views()[i].title));
        action->setShortcut(QKeySequence(QString("Alt+%1").arg(i + 1)));
        connect(action, &QAction::triggered, this, [this, i] { showView(app::views()[i].id); });
    }
    buildTimelineMenu(menus.back().second->menuAction());
    connect(m_welcome, &WelcomePage::openFolder, this, &MainWindow::askForFolder);
    connect(m_welcome, &WelcomePage::openFile, this, &MainWindow::askForFile);
    connect(m_welcome, &WelcomePage::openRun, this, &MainWindow::openRun);
}

/// What keys do in the timeline, to be found without knowing them. They are no shortcuts of the window: letters belong to the timeline
/// alone, as long as it has the keyboard.
void MainWindow::buildTimelineMenu(QAction* before)
{
    auto* menu = new QMenu(tr("Timeline"), this);
    menuBar()->insertMenu(before, menu);
    for (const widgets::TimelineKey& key : widgets::timelineKeys()) {
        m_timelineActions += menu->addAction(QString());
        connect(m_timelineActions.back(), &QAction::triggered, this, [this, &key] {
            if (!m_service.run()) return;
            showView("timeline");
            auto* canvas = findChild<widgets::TimelineCanvas*>();
            canvas->setFocus();
            key.act(*canvas);
        });
    }
    nameTimelineKeys();
}

void MainWindow::nameTimelineKeys()
{
    for (qsizetype i = 0; i < m_timelineActions.size(); ++i) {
        const widgets::KeyRow& row = widgets::timelineKeys()[static_cast<std::size_t>(i)].row;
        m_timelineActions[i]->setText(tr(row.text) + '\t' + widgets::keysText(row));
    }
}

void MainWindow::fillRecent(QMenu* menu)
{
    menu->clear();
    for (const QString& run : recentRuns()) connect(menu->addAction(run), &QAction::triggered, this, [this, run] { openRun(run); });
    if (menu->isEmpty()) menu->addAction(tr("none yet"))->setEnabled(false);
}

void MainWindow::askForFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a run's folder"), QFileInfo(m_path).absolutePath());
    if (!folder.isEmpty()) openRun(folder);
}

void MainWindow::askForFile()
{
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a run.db"), QFileInfo(m_path).absolutePath(), tr("Runs (*.db);;All files (*)"));
    if (!file.isEmpty()) openRun(file);
}

void MainWindow::reload()
{
    if (m_path.isEmpty()) return;
    m_reloading = m_service.run() != nullptr;
    m_wanted = m_navigator.state();
    m_service.open(m_path);
}

void MainWindow::lookForCauses()
{
    if (!m_service.run() || !m_service.run()->postponed) return;
    m_wanted = m_navigator.state();
    showMessage({});
    m_service.open(m_path, load::RunService::Analyse::Always);
}

void MainWindow::toggleFollowing()
{
    m_following = !m_following;
    statusBar()->showMessage(m_following ? tr("a running job is followed") : tr("a running job is shown as it is now"), 3000);
}

void MainWindow::closeRun()
{
    m_service.close();
    m_live.stop();
    m_welcome->showProblem({}, {});
    m_welcome->showRecent();
    m_pages->setCurrentIndex(0);
    setWindowTitle("Flowgauge");
}

void MainWindow::exportPicture()
{
    widgets::View* view = currentView();
    if (view == nullptr || !m_service.run()) return;
    const QString name = QString::fromStdString(m_service.run()->name) + "-" + view->objectName() + ".png";
    const QString file = QFileDialog::getSaveFileName(this, tr("Export the picture"), name, tr("Pictures (*.png *.svg)"));
    if (file.isEmpty()) return;
    settle(*view);
    const QString problem = widgets::exportView(*view, file, commandLine());
    statusBar()->showMessage(problem.isEmpty() ? tr("written to %1").arg(file) : problem, 8000);
}

void MainWindow::exportTable()
{
    widgets::View* view = currentView();
    if (view == nullptr || !m_service.run()) return;
    const QString name = QString::fromStdString(m_service.run()->name) + "-" + view->objectName() + ".csv";
    const QString file = QFileDialog::getSaveFileName(this, tr("Export the table"), name, tr("Tables (*.csv)"));
    if (file.isEmpty()) return;
    const QString problem = widgets::exportView(*view, file);
    statusBar()->showMessage(problem.isEmpty() ? tr("written to %1").arg(file) : problem, 8000);
}

void MainWindow::copyCommandLine()
{
    QApplication::clipboard()->setText(commandLine());
    statusBar()->showMessage(tr("copied: %1").arg(commandLine()), 8000);
}

std::vector<widgets::KeyRow> MainWindow::keyRows()
{
    std::vector<widgets::KeyRow> rows;
    const std::vector<widgets::TimelineKey>& keys = widgets::timelineKeys();
    rows.reserve(actionRows.size() + keys.size());
    for (const ActionRow& row : actionRows) rows.push_back(row.key);
    for (const widgets::TimelineKey& key : keys) rows.push_back(key.row);
    return rows;
}

QList<QAction*> MainWindow::commands() const
{
    QList<QAction*> commands;
    for (const QAction* menu : menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->menu() == nullptr && !action->isSeparator()) commands += action;
    return commands;
}

void MainWindow::showPalette() { CommandPalette(commands(), this).exec(); }

void MainWindow::showKeys()
{
    KeysDialog(keyRows(), this).exec();
    for (const ActionRow& row : actionRows)
        for (QAction* action : commands())
            if (action->text() == tr(row.key.text)) action->setShortcuts(widgets::keysOf(row.key));
    nameTimelineKeys();
}

void MainWindow::nextView()
{
    if (m_tabs->count() > 0) m_tabs->setCurrentIndex((m_tabs->currentIndex() + 1) % m_tabs->count());
}

void MainWindow::previousView()
{
    if (m_tabs->count() > 0) m_tabs->setCurrentIndex((m_tabs->currentIndex() + m_tabs->count() - 1) % m_tabs->count());
}

void MainWindow::cycleTheme()
{
    const int theme = (QSettings().value("theme", 0).toInt() + 1) % 3;
    QSettings().setValue("theme", theme);
    style::apply(*qApp, static_cast<style::Theme>(theme));
    for (widgets::View* view : m_views)
        if (m_service.run()) view->setRun(m_service.run());
}

void MainWindow::goBack() { m_navigator.back(); }
void MainWindow::goForward() { m_navigator.forward(); }
void MainWindow::showWhole() { m_navigator.showWhole(); }

void MainWindow::clearSelection()
{
    state::ViewState next = m_navigator.state();
    next.selection.reset();
    next.ranks.clear();
    m_navigator.go(next);
}

}  // namespace flowgauge::app
