// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/chart.h"

#include <QColor>
#include <QRectF>

#include <functional>

class QPainter;
class QFontMetricsF;

namespace flowgauge::widgets {

/// Question, note and legend above a plot; the height they take. With painter null only measures.
double drawHead(QPainter* painter, const timeline::Chart& chart, double width, const QFontMetricsF& titleSize,
                const QFontMetricsF& noteSize);
[[nodiscard]] double gutterOf(const timeline::Chart& chart, double plotHeight, const QFontMetricsF& noteSize);
/// Axes, bands, values and ceilings of a chart whose plot is that rectangle.
void drawPlot(QPainter& painter, const timeline::Chart& chart, const QRectF& plot, const std::function<bool(std::size_t)>& marked);
[[nodiscard]] QColor colourOf(const timeline::ChartSeries& series);

}  // namespace flowgauge::widgets
