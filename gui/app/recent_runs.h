// SPDX-License-Identifier: MIT
#pragma once
#include <QStringList>

namespace flowgauge::app {

/// Runs that were opened before and are still there, the latest first. Kept in the user's settings, never in a run.
[[nodiscard]] QStringList recentRuns();
void rememberRun(const QString& path);

}  // namespace flowgauge::app
