// SPDX-License-Identifier: MIT
#pragma once
#include "gui/widgets/key_map.h"

#include <QDialog>

#include <vector>

namespace flowgauge::app {

/// What every key does, and a place to give it another one. Changes are kept at once.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    KeysDialog(std::vector<widgets::KeyRow> rows, QWidget* parent);

private:
    QWidget* buildRows();
    void remap(std::size_t row, const QKeySequence& key);

    std::vector<widgets::KeyRow> m_rows;
};

}  // namespace flowgauge::app
