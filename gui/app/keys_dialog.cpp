// SPDX-License-Identifier: MIT
#include "gui/app/keys_dialog.h"

#include "gui/style/theme.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace flowgauge::app {

KeysDialog::KeysDialog(std::vector<widgets::KeyRow> rows, QWidget* parent) : QDialog(parent), m_rows(std::move(rows))
{
    setWindowTitle(tr("Keys"));
    resize(620, 640);
    auto* fixed =
        new QLabel(tr("W S zoom, A D and the arrows move, by their place on the board: held, they go faster. 1 to 9 go to marks.\n"
                      "Drag selects, Ctrl-drag zooms, Shift-drag measures, Space-drag or the middle button moves, a label is dragged "
                      "to another place,\nthe lower edge of the pinned part to another height. Ctrl-wheel zooms, Shift-wheel moves. A "
                      "double click shows an event."));
    fixed->setWordWrap(true);
    auto* scroll = new QScrollArea;
    scroll->setWidget(buildRows());
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(fixed);
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
}

QWidget* KeysDialog::buildRows()
{
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setHorizontalSpacing(2 * style::margin);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        auto* edit = new QKeySequenceEdit;
        edit->setObjectName(m_rows[row].text);
        edit->setToolTip(tr("Press another key; clear it for the one it came with."));
        auto* now = new QLabel(widgets::keysText(m_rows[row]));
        const int line = static_cast<int>(row);
        grid->addWidget(new QLabel(tr(m_rows[row].text)), line, 0);
        grid->addWidget(now, line, 1);
        grid->addWidget(edit, line, 2);
        connect(edit, &QKeySequenceEdit::keySequenceChanged, this, [this, row, now](const QKeySequence& key) {
            remap(row, key);
            now->setText(widgets::keysText(m_rows[row]));
        });
    }
    grid->setRowStretch(static_cast<int>(m_rows.size()), 1);
    return page;
}

/// One key, not a chain of them: shortcuts that wait for a second key feel like a hang.
void KeysDialog::remap(std::size_t row, const QKeySequence& key)
{
    widgets::remapKey(m_rows[row], key.isEmpty() ? key : QKeySequence(key[0]));
}

}  // namespace flowgauge::app
