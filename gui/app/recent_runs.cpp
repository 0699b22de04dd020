// SPDX-License-Identifier: MIT
#include "gui/app/recent_runs.h"

#include <QFileInfo>
#include <QSettings>

namespace flowgauge::app {

namespace {
constexpr qsizetype mostRuns = 12;
}

QStringList recentRuns()
{
    QStringList runs = QSettings().value("recent").toStringList();
    runs.removeIf([](const QString& run) { return !QFileInfo::exists(run); });
    return runs;
}

void rememberRun(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    QStringList runs = QSettings().value("recent").toStringList();
    runs.removeAll(whole);
    runs.prepend(whole);
    QSettings().setValue("recent", QStringList(runs.mid(0, mostRuns)));
}

}  // namespace flowgauge::app
