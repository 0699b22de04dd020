// SPDX-License-Identifier: MIT
#include "gui/app/screenshots.h"

#include "gui/app/views.h"

#include <QApplication>
#include <QDir>
#include <QPixmap>

#include <cstdio>

namespace flowgauge::app {

namespace {
constexpr int lookEveryMs = 20;
constexpr int calmLooks = 3;            // the answer to the last paint may only be on its way
constexpr qint64 patienceMs = 600'000;  // a run of 100 million events is analysed in less
}  // namespace

Screenshots::Screenshots(MainWindow& window, const Options& options) : m_window(window), m_folder(options.screenshots)
{
    for (const ViewRow& row : app::views())
        if (options.state.view.empty() || options.state.view == row.id) m_waiting += row.id;
    const auto giveUp = [this](const QString& why) {
        std::fprintf(stderr, "flowgauge-gui: %s\n", why.toUtf8().constData());
        end(1);
    };
    connect(&window, &MainWindow::failed, this, giveUp);
    connect(&window.service(), &load::RunService::readFailed, this, giveUp);
    connect(&window.service(), &load::RunService::postponed, &window, &MainWindow::lookForCauses);  // pictures are of the whole
    connect(&m_timer, &QTimer::timeout, this, &Screenshots::look);
    m_patience.start();
    m_timer.start(lookEveryMs);
}

void Screenshots::end(int status)
{
    m_timer.stop();
    QApplication::exit(status);
}

void Screenshots::look()
{
    if (m_patience.elapsed() > patienceMs) {
        std::fprintf(stderr, "flowgauge-gui: the views were not complete after ten minutes\n");
        end(1);
        return;
    }
    const load::RunPtr run = m_window.service().run();
    if (!run || !run->analysis) return;
    const QString id = m_waiting.front();
    if (m_window.navigator().state().view != id.toStdString()) {
        m_window.showView(id.toStdString());
        m_settled = 0;
        return;
    }
    for (const widgets::View* view : m_window.views())
        if (view->objectName() == id) m_settled = view->isSettled() ? m_settled + 1 : 0;
    if (m_settled < calmLooks) return;
    if (!write(id)) return end(1);
    m_waiting.removeFirst();
    if (m_waiting.isEmpty()) end(0);
}

bool Screenshots::write(const QString& view)
{
    QDir().mkpath(m_folder);
    const QString file = QDir(m_folder).filePath(QString::fromStdString(m_window.service().run()->name) + "-" + view + ".png");
    QString problem;
    if (!m_window.grab().save(file, "PNG")) problem = file + ": cannot be written";
    for (widgets::View* shown : m_window.views())
        if (problem.isEmpty() && shown->objectName() == view && !shown->csv().isEmpty())
            problem = widgets::exportView(*shown, file.chopped(3) + "csv");
    if (!problem.isEmpty()) std::fprintf(stderr, "flowgauge-gui: %s\n", problem.toUtf8().constData());
    return problem.isEmpty();
}

}  // namespace flowgauge::app
