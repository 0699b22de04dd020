// SPDX-License-Identifier: MIT
#pragma once
#include <QKeySequence>
#include <QList>
#include <QString>

class QKeyEvent;

namespace flowgauge::widgets {

/// Something a key does: what the sheet behind `?` lists, and what the user may give another key. Ids are kept in the settings.
struct KeyRow {
    const char* text;  ///< what it does; also its id
    const char* keys;  ///< by default; several, separated by ';'
};

/// The keys of a row as the user has set them.
[[nodiscard]] QList<QKeySequence> keysOf(const KeyRow& row);
[[nodiscard]] QString keysText(const KeyRow& row);  ///< "Backspace or Alt+Left"
[[nodiscard]] bool presses(const QKeyEvent& event, const KeyRow& row);

/// Gives a row one key of the user's own; an empty one takes back what was set.
void remapKey(const KeyRow& row, const QKeySequence& key);

}  // namespace flowgauge::widgets
