// SPDX-License-Identifier: MIT
#pragma once
#include "gui/app/main_window.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace flowgauge::app {

/// Writes a picture of every view of a run (run-view.png), and its table where it has one (run-view.csv), to a folder, one after
/// the other, each once nothing is awaited any more; then ends the program: 0, or 1 with a line on stderr.
class Screenshots : public QObject {
    Q_OBJECT
public:
    Screenshots(MainWindow& window, const Options& options);

private:
    void look();
    bool write(const QString& view);
    void end(int status);

    MainWindow& m_window;
    QString m_folder;
    QStringList m_waiting;  ///< ids of the views that are not written yet
    QTimer m_timer;
    QElapsedTimer m_patience;
    int m_settled = 0;
};

}  // namespace flowgauge::app
