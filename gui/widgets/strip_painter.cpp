// SPDX-License-Identifier: MIT
#include "gui/widgets/strip_painter.h"

#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/timeline/curve_axis.h"

#include <QImage>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace flowgauge::widgets {

namespace {

using timeline::Column;
using timeline::Row;
using timeline::Tone;

struct ColumnLook {
    int height = 0, second = 0;  ///< px from the bottom; of it the upper part
    QRgb colour = 0, secondColour = 0;
};

ColumnLook lookOf(const Column& column, int height)
{
    ColumnLook look;
    if (!column.any) return look;
    look.height = std::clamp(static_cast<int>(std::lround(column.busy * static_cast<float>(height))), 2, height);
    look.second =
        column.second == Tone::None ? 0 : std::min(look.height, static_cast<int>(std::lround(column.exposed * static_cast<float>(height))));
    if (column.second != Tone::None && column.exposed > 0 && look.second == 0) look.second = 1;
    look.colour = style::shadeOf(column.tone, column.shade).rgb();
    look.secondColour = style::colourOf(column.second == Tone::None ? column.tone : column.second).rgb();
    return look;
}

void paintCurve(QPainter& painter, const std::vector<float>& values, double end, const QRect& area, bool filled, const QColor& colour)
{
    QPolygonF line;
    const auto flush = [&] {
        if (line.size() < 2) return line.clear();
        if (filled) {
            QPolygonF shape = line;
            shape << QPointF(line.back().x(), area.bottom() - padPx) << QPointF(line.front().x(), area.bottom() - padPx);
            QColor faint = colour;
            faint.setAlpha(70);
            painter.setPen(Qt::NoPen);
            painter.setBrush(faint);
            painter.drawPolygon(shape);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, 1.2));
        painter.drawPolyline(line);
        line.clear();
    };
    const double height = area.height() - 2 * padPx - 1;
    for (std::size_t x = 0; x < values.size(); ++x) {
        if (values[x] < 0) {
            flush();
            continue;
        }
        line << QPointF(area.left() + static_cast<double>(x),
                        area.bottom() - padPx - std::min(1.0, static_cast<double>(values[x]) / end) * height);
    }
    flush();
}

/// What the row's top stands for, and what the link can move.
QString axisText(const Row& row, const timeline::CurveAxis& axis, float most)
{
    const bool still = row.unit == timeline::Unit::BytesPerSecond && most <= 0;
    const QString end = still ? QObject::tr("no bytes") : valueText(row.unit, axis.end);
    return row.ceiling > 0 ? QObject::tr("link %1   %2").arg(valueText(row.unit, row.ceiling), end) : end;
}

}  // namespace

QString valueText(timeline::Unit unit, double value)
{
    switch (unit) {
        case timeline::Unit::BytesPerSecond:
            return QString::fromStdString(report::bytesPerSecond(value));
        case timeline::Unit::Bytes:
            return QString::fromStdString(report::bytes(value));
        case timeline::Unit::Share:
            return QString::fromStdString(report::share(value));
        case timeline::Unit::Milliseconds:
            return QString::fromStdString(report::duration(static_cast<Nanos>(value * 1e6)));
        default:
            return QString::fromStdString(report::perSecond(value)) + "/s";
    }
}

/// A scan line at a time: a hundred thousand rectangles would cost ten times as much.
void paintColumns(QPainter& painter, const std::vector<Column>& columns, const QRect& area)
{
    const int height = area.height() - 2 * padPx;
    if (height <= 0 || columns.empty()) return;
    std::vector<ColumnLook> looks;
    looks.reserve(columns.size());
    for (const Column& column : columns) looks.push_back(lookOf(column, height));
    QImage image(static_cast<int>(columns.size()), height, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const int up = height - y;  // distance of this line from the bottom, 1 is the lowest
        for (std::size_t x = 0; x < looks.size(); ++x) {
            const ColumnLook& look = looks[x];
            line[x] = up > look.height ? 0U : up > look.height - look.second ? look.secondColour : look.colour;
        }
    }
    painter.drawImage(area.left(), area.top() + padPx, image);
}

void paintCurves(QPainter& painter, const Row& row, const timeline::Strip& strip, const timeline::TimeScale& scale, const QRect& area)
{
    std::vector<std::vector<float>> curves;
    float most = 0;
    for (const auto& line : strip.lines) {
        curves.push_back(timeline::valuesOf(line, strip, scale));
        for (const float value : curves.back()) most = std::max(most, value);
    }
    const timeline::CurveAxis axis = timeline::curveAxis(row, most);
    static constexpr std::array tones{Tone::Storage, Tone::HiddenCommunication};
    const bool network = row.label.starts_with("NIC") || row.label.starts_with("Inf");
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const Tone tone = network ? (i == 0 ? Tone::HiddenCommunication : Tone::ExposedCommunication) : tones[i % tones.size()];
        paintCurve(painter, curves[i], axis.end, area, i == 0, style::colourOf(tone));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (axis.showsCeiling) {
        const double y = area.bottom() - padPx - row.ceiling / axis.end * (area.height() - 2 * padPx - 1);
        painter.setPen(QPen(style::paper().ink, 1, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    painter.setFont(style::note());
    painter.setPen(style::paper().faint);
    painter.drawText(area.adjusted(0, 1, -4, 0), Qt::AlignRight | Qt::AlignTop, axisText(row, axis, most));
}

}  // namespace flowgauge::widgets
