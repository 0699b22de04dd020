// SPDX-License-Identifier: MIT
#pragma once
#include <QWidget>

class QLabel;
class QLayout;
class QVBoxLayout;

namespace flowgauge::app {

/// What is shown when no run is: how to open one, the recent ones, and why the last attempt did not work.
class WelcomePage : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(QWidget* parent = nullptr);
    void showRecent();
    void showProblem(const QString& path, const QString& why);  ///< why: "" forgets the last one

signals:
    void openFolder();
    void openFile();
    void openRun(const QString& path);

private:
    QLayout* buildText();
    QLayout* buildButtons();

    QLabel* m_problem;
    QVBoxLayout* m_recent;
};

}  // namespace flowgauge::app
