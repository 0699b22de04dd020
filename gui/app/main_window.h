// SPDX-License-Identifier: MIT
#pragma once
#include "gui/app/options.h"
#include "gui/widgets/key_map.h"
#include "gui/widgets/view.h"

#include <QList>
#include <QMainWindow>
#include <QTimer>

#include <vector>

class QAction;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace flowgauge::app {

class WelcomePage;

/// The window: one run, its views as tabs, and what is common to all of them.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const Options& options);
    ~MainWindow() override;

    void openRun(const QString& path);
    void openRunAt(const QString& path, const state::ViewState& state);
    [[nodiscard]] const std::vector<widgets::View*>& views() const { return m_views; }
    [[nodiscard]] widgets::Navigator& navigator() { return m_navigator; }
    [[nodiscard]] load::RunService& service() { return m_service; }
    void showView(const std::string& id);
    [[nodiscard]] QString commandLine() const;  ///< that reopens what is shown

    // What the menus, keys and buttons do; window_actions.cpp has the table.
    void askForFolder();
    void askForFile();
    void reload();
    void lookForCauses();  ///< of a run so large that it was opened without
    void closeRun();
    void exportPicture();
    void exportTable();
    void copyCommandLine();
    void showKeys();
    void showPalette();
    [[nodiscard]] static std::vector<widgets::KeyRow> keyRows();  ///< everything that has a key
    [[nodiscard]] QList<QAction*> commands() const;               ///< of all menus
    void nextView();
    void previousView();
    void cycleTheme();
    void goBack();
    void goForward();
    void showWhole();
    void clearSelection();
    void toggleFollowing();

signals:
    void failed(const QString& why);  ///< the run could not be opened

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildBar();
    void buildViews();
    void buildStatus();
    void buildActions();
    void buildTimelineMenu(QAction* before);
    void connectService();
    void restoreLayout(const Options& options);
    void showCost(const findings::RunSummary& summary);
    void takeRun(const load::RunPtr& run, bool first);
    void showProblem(const QString& why);
    void showMessage(const QString& text);
    void follow();  ///< what is shown, after a change of the state
    void fillRecent(class QMenu* menu);
    void nameTimelineKeys();  ///< beside what they do, as the user has set them
    [[nodiscard]] widgets::View* currentView() const;

    load::RunService m_service;
    widgets::Navigator m_navigator;
    std::vector<widgets::View*> m_views;
    QStackedWidget *m_pages = nullptr, *m_stack = nullptr;
    WelcomePage* m_welcome = nullptr;
    QTabBar* m_tabs = nullptr;
    QLabel *m_title = nullptr, *m_about = nullptr, *m_message = nullptr, *m_where = nullptr, *m_cost = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_cancel = nullptr;
    QString m_path;
    state::ViewState m_wanted;  ///< of the run that is being opened
    bool m_reloading = false;
    bool m_following = true;
    QList<QAction*> m_timelineActions;  ///< as timelineKeys()
    QTimer m_live;                      ///< opens a run that is still being written again and again
};

/// "resnet50, 2 ranks on 1 host, 3 epochs, 53.4 s": what the first line of the report says.
[[nodiscard]] QString aboutRun(const findings::RunSummary& summary);

}  // namespace flowgauge::app
