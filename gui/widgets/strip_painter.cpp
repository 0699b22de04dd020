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

int partOf(float share, int height) { return std::min(height, static_cast<int>(std::lround(share * static_cast<float>(height)))); }

ColumnLook lookOf(const Column& column, int height)
{
    ColumnLook look;
    if (!column.any) return look;
    look.height = std::clamp(partOf(column.busy, height), std::min(2, height), height);
    look.colour = style::shadeOf(column.tone, column.shade).rgb();
    if (column.second == Tone::None || column.exposed <= 0) return look;
    look.second = std::clamp(partOf(column.exposed, height), 1, look.height);
    look.secondColour = style::colourOf(column.second).rgb();
    return look;
}

struct CurveLook {
    QColor colour;
    bool filled;  ///< down to the row's lower edge
};

void paintCurve(QPainter& painter, const std::vector<float>& values, double end, const QRect& area, const CurveLook& look)
{
    QPolygonF line;
    const auto flush = [&] {
        if (line.size() < 2) return line.clear();
        if (look.filled) {
            QPolygonF shape = line;
            shape << QPointF(line.back().x(), area.bottom() - padPx) << QPointF(line.front().x(), area.bottom() - padPx);
            QColor faint = look.colour;
            faint.setAlpha(70);
            painter.setPen(Qt::NoPen);
            painter.setBrush(faint);
            painter.drawPolygon(shape);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look.colour, 1.2));
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

QColor colourOfLine(const Row& row, std::size_t line)
{
    const bool network = row.label.starts_with("NIC") || row.label.starts_with("Inf");
    static constexpr std::array networks{Tone::HiddenCommunication, Tone::ExposedCommunication},
        others{Tone::Storage, Tone::HiddenCommunication};
    return style::colourOf((network ? networks : others)[line % 2]);
}

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

/// Into an image, column by column: a hundred thousand rectangles would cost ten times as much.
void paintColumns(QPainter& painter, const std::vector<Column>& columns, const QRect& area)
{
    const int height = area.height() - 2 * padPx;
    if (height <= 0 || columns.empty()) return;
    QImage image(static_cast<int>(columns.size()), height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto line = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const ColumnLook look = lookOf(columns[x], height);
        QRgb* pixel = pixels + static_cast<std::size_t>(height - look.height) * line + x;
        for (int y = 0; y < look.height; ++y, pixel += line) *pixel = y < look.second ? look.secondColour : look.colour;
    }
    painter.drawImage(area.left(), area.top() + padPx, image);
}

void paintHeat(QPainter& painter, const std::vector<Column>& columns, const QRect& area)
{
    if (area.height() <= 2 * padPx || columns.empty()) return;
    QImage image(static_cast<int>(columns.size()), 1, QImage::Format_ARGB32_Premultiplied);
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(0));
    for (std::size_t x = 0; x < columns.size(); ++x) {
        constexpr float palest = 0.2F;  // a short event is to be seen too
        const float strength = columns[x].any ? palest + (1 - palest) * columns[x].busy : 0;
        QColor colour = style::shadeOf(columns[x].tone, columns[x].shade);
        colour.setAlphaF(strength);
        line[x] = qPremultiply(colour.rgba());
    }
    painter.drawImage(area.adjusted(0, padPx, 0, -padPx), image);
}

void paintCurves(QPainter& painter, const Row& row, const timeline::Strip& strip, const timeline::Spans& spans, const QRect& area)
{
    std::vector<std::vector<float>> curves;
    float most = 0;
    for (const auto& line : strip.lines) {
        curves.push_back(timeline::valuesOf(line, spans));
        for (const float value : curves.back()) most = std::max(most, value);
    }
    const timeline::CurveAxis axis = timeline::curveAxis(row, most);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < curves.size(); ++i) paintCurve(painter, curves[i], axis.end, area, {colourOfLine(row, i), i == 0});
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
