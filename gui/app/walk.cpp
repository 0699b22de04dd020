// SPDX-License-Identifier: MIT
#include "gui/app/walk.h"

#include "gui/widgets/selection_panel.h"
#include "gui/widgets/timeline_canvas.h"
#include "gui/widgets/timeline_view.h"

#include <sys/resource.h>
#include <QApplication>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flowgauge::app {

namespace {

constexpr int lookEveryMs = 2;
constexpr int patienceMs = 120'000;
constexpr int zooms = 60, pans = 60, jumps = 20;
constexpr Nanos jumpLength = 2'000'000;  // where single events can be told apart

double shareOf(std::vector<double> values, double share)
{
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

void line(const char* what, double value, const char* unit) { std::printf("%-52s %10.2f %s\n", what, value, unit); }

double mostMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

}  // namespace

Walk::Walk(MainWindow& window, const QElapsedTimer& sinceStart)
    : m_window(window), m_view(window.findChild<widgets::TimelineView*>()), m_sinceStart(sinceStart)
{
    const auto giveUp = [](const QString& why) {
        std::fprintf(stderr, "flowgauge-gui: %s\n", why.toUtf8().constData());
        QApplication::exit(1);
    };
    connect(&window, &MainWindow::failed, this, giveUp);
    connect(&window.service(), &load::RunService::readFailed, this, giveUp);
    QTimer::singleShot(patienceMs, this, [giveUp] { giveUp(tr("the walk was not over after two minutes")); });
    connect(&m_timer, &QTimer::timeout, this, &Walk::look);
    m_timer.start(lookEveryMs);
}

/// Rows are shown, and each has at least its picture of the whole run.
bool Walk::isDrawn() const
{
    const widgets::TimelineCanvas& canvas = m_view->canvas();
    return m_window.service().run() && canvas.lastPaintNs() > 0 && !canvas.shownRows().empty() && canvas.blankRows() == 0;
}

void Walk::enter(Stage stage)
{
    m_stage = stage;
    m_since.start();
}

void Walk::look()
{
    switch (m_stage) {
        case Stage::FirstPicture:
            if (!isDrawn()) return;
            line("first picture", static_cast<double>(m_sinceStart.nsecsElapsed()) / 1e6, "ms");
            line("memory with the first picture", mostMegabytes(), "MB");
            return enter(Stage::Opening);
        case Stage::Opening:
            if (!m_view->isSettled()) return;
            line("open", static_cast<double>(m_sinceStart.elapsed()) / 1e3, "s");
            enter(Stage::Frames);
            return walkFrames();
        case Stage::Frames:
            if (!m_view->isSettled()) return;
            enter(Stage::Jumps);
            return jump();
        case Stage::Jumps:
            if (!m_view->isSettled()) return;
            m_jumpMs.push_back(static_cast<double>(m_since.nsecsElapsed()) / 1e6);
            if (m_jumpMs.size() < jumps) return jump();
            enter(Stage::Selection);
            m_window.navigator().showWhole();
            return m_window.navigator().select(m_window.navigator().whole());
        case Stage::Selection:
            if (!m_view->isSettled() || m_view->selection().lastCountMs() < 0) return;
            return end();
        case Stage::Done:
            return;
    }
}

void Walk::frame(Interval window)
{
    QElapsedTimer timer;
    timer.start();
    m_window.navigator().showWindow(window, 1);
    m_view->canvas().repaint();
    m_frameMs.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    QApplication::processEvents();  // answers arrive between frames, as they do for a user
}

/// Held keys: in to the middle, sideways, and out again.
void Walk::walkFrames()
{
    m_timer.stop();  // events are handled between frames: nobody is to look until the last one
    const Interval whole = m_window.navigator().whole();
    timeline::TimeScale scale{whole, 1000};
    for (int i = 0; i < zooms; ++i) frame(scale.window = scale.zoomed(0.85, 500, whole));
    for (int i = 0; i < pans; ++i) frame(scale.window = scale.panned(i < pans / 2 ? 80 : -80, whole));
    for (int i = 0; i < zooms; ++i) frame(scale.window = scale.zoomed(1 / 0.85, 500, whole));
    m_timer.start(lookEveryMs);
}

Interval Walk::place(Nanos length)
{
    const Interval whole = m_window.navigator().whole();
    const Nanos room = std::max<Nanos>(1, whole.length() - length);
    const Nanos begin = whole.begin + static_cast<Nanos>(m_random()) * 1000 % room;
    return {begin, begin + length};
}

void Walk::jump()
{
    enter(Stage::Jumps);
    m_window.navigator().showWindow(place(jumpLength));
    m_view->canvas().repaint();
    if (m_view->canvas().blankRows() > 0) ++m_blankJumps;
}

void Walk::end()
{
    m_stage = Stage::Done;
    line("frames, median", shareOf(m_frameMs, 0.5), "ms");
    line("frames, 95 of 100", shareOf(m_frameMs, 0.95), "ms");
    line("frames, 99 of 100", shareOf(m_frameMs, 0.99), "ms");
    line("jump to single events, median", shareOf(m_jumpMs, 0.5), "ms");
    line("jumps that showed nothing at first", m_blankJumps, "jumps");
    line("statistics of everything", static_cast<double>(m_view->selection().lastCountMs()), "ms");
    line("memory at the end", mostMegabytes(), "MB");
    std::fflush(stdout);
    QApplication::exit(0);
}

}  // namespace flowgauge::app
