// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/row.h"
#include "gui/timeline/strip.h"

#include <QColor>
#include <QRect>
#include <QString>

#include <vector>

class QPainter;

namespace flowgauge::widgets {

inline constexpr int padPx = 2;  ///< above and below what a row shows

/// What happened, by pixel column.
void paintColumns(QPainter& painter, const std::vector<timeline::Column>& columns, const QRect& area);

/// The whole height in the colour of what leads a column, the paler the less of its time it was busy.
void paintHeat(QPainter& painter, const std::vector<timeline::Column>& columns, const QRect& area);

/// A row of counters, with the end of its axis and the link's ceiling.
void paintCurves(QPainter& painter, const timeline::Row& row, const timeline::Strip& strip, const timeline::Spans& spans,
                 const QRect& area);

/// The colour of a curve of a row of counters.
[[nodiscard]] QColor colourOfLine(const timeline::Row& row, std::size_t line);

[[nodiscard]] QString valueText(timeline::Unit unit, double value);

}  // namespace flowgauge::widgets
