// SPDX-License-Identifier: MIT
#pragma once
#include "gui/models/table_model.h"
#include "gui/timeline/chart.h"

#include "collector/record/measured.h"

#include <QString>

namespace flowgauge::models {

/// A value of a chart as the report would write it, and shorter, beside an axis.
[[nodiscard]] QString valueText(double value, timeline::Measure measure);
[[nodiscard]] QString axisText(double value, timeline::Measure measure);

/// Words for a label that breaks its lines: no quantity is torn apart.
[[nodiscard]] QString unbroken(const QString& words);

/// A cell that reads like the report and sorts by the value. What is not measured reads "–", sorts first and says why as its tip.
[[nodiscard]] Cell cellOf(double value, timeline::Measure measure);
template <typename T>
[[nodiscard]] Cell cellOf(const Measured<T>& value, timeline::Measure measure)
{
    if (value.known()) return cellOf(static_cast<double>(value.value()), measure);
    return {QStringLiteral("–"), QVariant(), QString::fromStdString("not measured (" + value.reason() + ")")};
}
[[nodiscard]] Cell wordCell(const QString& text);

/// The numbers behind a chart, as a table for CSV: one line a slot.
[[nodiscard]] QString csvOf(const timeline::Chart& chart);
[[nodiscard]] QString csvOf(const timeline::Grid& grid);

}  // namespace flowgauge::models
