// SPDX-License-Identifier: MIT
#include "gui/widgets/grid_widget.h"

#include "analyzer/report/units.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/timeline/time_scale.h"

#include <QFileInfo>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {

constexpr double dragPx = 4;

QString shortName(const std::string& name)
{
    const QString text = QString::fromStdString(name);
    return text.contains('/') ? QFileInfo(text).fileName() : text;
}

}  // namespace

GridWidget::GridWidget(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void GridWidget::setGrid(timeline::Grid grid)
{
    m_grid = std::move(grid);
    setAccessibleName(QString::fromStdString(m_grid.question));
    makeImage();
    update();
}

void GridWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) makeImage();
    QWidget::changeEvent(event);
}

void GridWidget::makeImage()
{
    m_image = QImage();
    if (!m_grid.hasValues()) return;
    m_image = QImage(static_cast<int>(m_grid.columns), static_cast<int>(m_grid.rows), QImage::Format_ARGB32);
    const auto strengths = m_grid.strengths();
    QColor colour = style::colourOf(m_grid.tone);
    for (std::size_t row = 0; row < m_grid.rows; ++row)
        for (std::size_t column = 0; column < m_grid.columns; ++column) {
            colour.setAlphaF(strengths[row * m_grid.columns + column]);
            m_image.setPixelColor(static_cast<int>(column), static_cast<int>(row), colour);
        }
}

QRectF GridWidget::plot() const
{
    const QFontMetricsF titleSize(style::title());
    const QFontMetricsF noteSize(style::note());
    const double top = titleSize.height() + (m_grid.note.empty() ? 0 : noteSize.height()) + 6;
    double left = 0;
    for (const std::string& name : m_grid.rowNames) left = std::max(left, noteSize.horizontalAdvance(shortName(name)) + 8);
    left = std::min(left, width() * 0.3);
    const double bottom = height() - noteSize.height() - 6;
    return {left, top, std::max(10.0, width() - left - 2), std::max(10.0, bottom - top)};
}

void GridWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QFontMetricsF titleSize(style::title());
    painter.setFont(style::title());
    painter.setPen(style::paper().ink);
    painter.drawText(QPointF(0, titleSize.ascent()),
                     titleSize.elidedText(QString::fromStdString(m_grid.question), Qt::ElideRight, width()));
    painter.setPen(style::paper().faint);
    if (!m_grid.hasValues()) {
        painter.setFont(style::text());
        painter.drawText(QRectF(0, titleSize.height() + 4, width(), height()), Qt::TextWordWrap, QString::fromStdString(m_grid.empty));
        return;
    }
    painter.setFont(style::note());
    painter.drawText(QPointF(0, titleSize.height() + painter.fontMetrics().ascent()),
                     painter.fontMetrics().elidedText(QString::fromStdString(m_grid.note), Qt::ElideRight, width()));
    const QRectF area = plot();
    painter.fillRect(area, style::paper().raised);
    painter.drawImage(area, m_image);
    painter.setPen(QPen(style::paper().line, 1));
    painter.drawRect(area);
    painter.setPen(style::paper().faint);
    drawRowNames(painter, area);
    drawColumnNames(painter, area);
}

void GridWidget::drawRowNames(QPainter& painter, const QRectF& area) const
{
    const double height = area.height() / static_cast<double>(std::max<std::size_t>(m_grid.rowNames.size(), 1));
    double free = area.top() - 1e9;
    for (std::size_t i = 0; i < m_grid.rowNames.size(); ++i) {
        const double middle = area.top() + height * (static_cast<double>(i) + 0.5);
        const double line = painter.fontMetrics().height();
        if (middle - line / 2 < free) continue;
        free = middle + line / 2;
        painter.drawText(
            QRectF(0, middle - line / 2, area.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(shortName(m_grid.rowNames[i]), Qt::ElideMiddle, static_cast<int>(area.left() - 6)));
    }
}

void GridWidget::drawColumnNames(QPainter& painter, const QRectF& area) const
{
    const double y = area.bottom() + 4 + painter.fontMetrics().ascent();
    double free = area.left() - 1;
    const auto draw = [&](double x, const QString& name) {
        const double wide = painter.fontMetrics().horizontalAdvance(name);
        const double from = std::clamp(x - wide / 2, area.left(), std::max(area.left(), area.right() - wide));
        if (from < free) return;
        free = from + wide + style::space;
        painter.drawText(QPointF(from, y), name);
    };
    double widest = 1;
    for (const std::string& name : m_grid.columnNames)
        widest = std::max<double>(widest, painter.fontMetrics().horizontalAdvance(QString::fromStdString(name)) + style::space);
    const double column = area.width() / static_cast<double>(std::max<std::size_t>(m_grid.columnNames.size(), 1));
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / column)));
    for (std::size_t i = 0; i < m_grid.columnNames.size(); i += every)
        draw(area.left() + column * (static_cast<double>(i) + 0.5), QString::fromStdString(m_grid.columnNames[i]));
    if (!m_grid.when.empty())
        for (const timeline::Tick& tick : timeline::ticksOf({m_grid.when, area.width()}))
            if (!tick.label.empty()) draw(area.left() + tick.x, QString::fromStdString(tick.label));
}

QString GridWidget::tipAt(std::size_t column, std::size_t row) const
{
    QStringList lines{QString::fromStdString(m_grid.rowName(row))};
    const Nanos step = m_grid.when.length() / static_cast<Nanos>(m_grid.columns);
    const Nanos at = m_grid.when.begin + step * static_cast<Nanos>(column);
    lines += column < m_grid.columnNames.size() ? QString::fromStdString(m_grid.columnNames[column])
                                                : QString::fromStdString(report::when({at, at + step}));
    lines += models::valueText(std::max(0.0, m_grid.at(column, row)), m_grid.measure);
    return lines.join('\n');
}

void GridWidget::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF area = plot();
    if (!m_grid.hasValues() || !area.contains(event->position())) return QToolTip::hideText();
    const auto column =
        static_cast<std::size_t>((event->position().x() - area.left()) / area.width() * static_cast<double>(m_grid.columns));
    const auto row = static_cast<std::size_t>((event->position().y() - area.top()) / area.height() * static_cast<double>(m_grid.rows));
    QToolTip::showText(event->globalPosition().toPoint() + QPoint(12, 12),
                       tipAt(std::min(column, m_grid.columns - 1), std::min(row, m_grid.rows - 1)), this);
}

void GridWidget::mousePressEvent(QMouseEvent* event) { m_pressedX = m_grid.hasValues() ? event->position().x() : -1; }

void GridWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const QRectF area = plot();
    if (m_pressedX < 0 || !m_grid.hasValues()) return;
    const double from = std::clamp(std::min(m_pressedX, event->position().x()), area.left(), area.right());
    const double to = std::clamp(std::max(m_pressedX, event->position().x()), area.left(), area.right());
    m_pressedX = -1;
    const timeline::TimeScale scale{m_grid.when, area.width()};
    if (!m_grid.when.empty() && to - from > dragPx) emit timePicked({scale.timeAt(from - area.left()), scale.timeAt(to - area.left())});
    if (to - from <= dragPx && area.contains(event->position()))
        emit cellPicked(static_cast<int>((to - area.left()) / area.width() * static_cast<double>(m_grid.columns)),
                        static_cast<int>((event->position().y() - area.top()) / area.height() * static_cast<double>(m_grid.rows)));
}

}  // namespace flowgauge::widgets
