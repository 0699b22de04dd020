// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/layout.h"

#include <QStringList>

namespace flowgauge::widgets {

/// How the rows of the timeline were arranged: kept in the user's settings, by the rows' ids, so that it serves every run. The filter and
/// the ranks belong to a run and are not kept. The name "" stands for the arrangement that was shown last.
void rememberRows(const QString& name, const timeline::Arrangement& rows);
[[nodiscard]] timeline::Arrangement recalledRows(const QString& name);
[[nodiscard]] QStringList rememberedRows();  ///< names, without ""

}  // namespace flowgauge::widgets
