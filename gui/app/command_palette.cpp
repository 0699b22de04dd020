// SPDX-License-Identifier: MIT
#include "gui/app/command_palette.h"

#include "gui/timeline/layout.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace flowgauge::app {

CommandPalette::CommandPalette(const QList<QAction*>& commands, QWidget* parent)
    : QDialog(parent), m_commands(commands), m_line(new QLineEdit), m_list(new QListWidget)
{
    setWindowTitle(tr("All commands"));
    resize(520, 420);
    m_line->setPlaceholderText(tr("What shall be done?"));
    m_line->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_line, &QLineEdit::returnPressed, this, &CommandPalette::perform);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::perform);
    narrow({});
}

void CommandPalette::narrow(const QString& words)
{
    m_list->clear();
    for (qsizetype i = 0; i < m_commands.size(); ++i) {
        const QString text = m_commands[i]->text().replace('\t', "    ");  // menus keep a key behind a tab
        if (!timeline::passes(words.toStdString(), text.toStdString())) continue;
        const QString keys = m_commands[i]->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(keys.isEmpty() ? text : text + "    " + keys, m_list);
        item->setData(Qt::UserRole, i);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::perform()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr) return;
    QAction* command = m_commands[item->data(Qt::UserRole).toInt()];
    accept();
    QMetaObject::invokeMethod(command, &QAction::trigger, Qt::QueuedConnection);  // once this dialog has gone
}

/// The arrows move the marked row while the keyboard stays in the line.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown)
            return QApplication::sendEvent(m_list, event);
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace flowgauge::app
