// SPDX-License-Identifier: MIT
#pragma once
#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace flowgauge::app {

/// All commands, narrowed by words; Enter does the one that is marked.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QList<QAction*>& commands, QWidget* parent);
    [[nodiscard]] QLineEdit& line() { return *m_line; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& words);
    void perform();

    QList<QAction*> m_commands;
    QLineEdit* m_line;
    QListWidget* m_list;
};

}  // namespace flowgauge::app
