// SPDX-License-Identifier: MIT
#pragma once
#include "gui/app/main_window.h"

#include <QElapsedTimer>
#include <QTimer>

#include <random>
#include <vector>

namespace flowgauge::widgets {
class TimelineView;
}

namespace flowgauge::app {

/// --measure: walks through a run as a user would (zooms, pans, jumps, a selection of everything), prints how long each took, and
/// ends the program. What it prints is read by tests/bench.
class Walk : public QObject {
    Q_OBJECT
public:
    Walk(MainWindow& window, const QElapsedTimer& sinceStart);

private:
    enum class Stage { FirstPicture, Opening, Frames, Jumps, Selection, Done };
    void look();
    void frame(Interval window);
    void walkFrames();
    void jump();
    void enter(Stage stage);
    void end();
    [[nodiscard]] bool isDrawn() const;
    [[nodiscard]] Interval place(Nanos length);

    MainWindow& m_window;
    widgets::TimelineView* m_view;
    Stage m_stage = Stage::FirstPicture;
    QTimer m_timer;
    QElapsedTimer m_sinceStart, m_since;
    std::vector<double> m_frameMs, m_jumpMs;
    int m_blankJumps = 0;
    std::mt19937 m_random{1};  ///< the same walk each time
};

}  // namespace flowgauge::app
