// SPDX-License-Identifier: MIT
#include "gui/widgets/key_map.h"

#include <QKeyEvent>
#include <QSettings>
#include <QStringList>

namespace flowgauge::widgets {

namespace {

QString settingOf(const KeyRow& row) { return QString("keys/") + QString(row.text).replace('/', ' '); }

}  // namespace

QList<QKeySequence> keysOf(const KeyRow& row)
{
    const QString own = QSettings().value(settingOf(row)).toString();
    QList<QKeySequence> keys;
    for (const QString& key : (own.isEmpty() ? QString(row.keys) : own).split(';', Qt::SkipEmptyParts)) keys += QKeySequence(key);
    return keys;
}

QString keysText(const KeyRow& row)
{
    QStringList texts;
    for (const QKeySequence& key : keysOf(row)) texts += key.toString(QKeySequence::NativeText);
    return texts.join(" or ");
}

bool presses(const QKeyEvent& event, const KeyRow& row)
{
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    return keysOf(row).contains(QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(event.key()))));
}

void remapKey(const KeyRow& row, const QKeySequence& key)
{
    QSettings settings;
    if (key.isEmpty())
        settings.remove(settingOf(row));
    else
        settings.setValue(settingOf(row), key.toString(QKeySequence::PortableText));
}

}  // namespace flowgauge::widgets
