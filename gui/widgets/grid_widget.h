// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/chart.h"

#include <QImage>
#include <QWidget>

namespace flowgauge::widgets {

/// Draws a grid of small cells: a matrix between ranks, or places in files against time. A drag along time tells the piece.
class GridWidget : public QWidget {
    Q_OBJECT
public:
    explicit GridWidget(QWidget* parent = nullptr);
    void setGrid(timeline::Grid grid);
    [[nodiscard]] const timeline::Grid& grid() const { return m_grid; }
    [[nodiscard]] QSize sizeHint() const override { return {420, 230}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }
    [[nodiscard]] QRectF plot() const;

signals:
    void timePicked(flowgauge::Interval when);
    void cellPicked(int column, int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void makeImage();
    void drawRowNames(QPainter& painter, const QRectF& area) const;
    void drawColumnNames(QPainter& painter, const QRectF& area) const;
    [[nodiscard]] QString tipAt(std::size_t column, std::size_t row) const;

    timeline::Grid m_grid;
    QImage m_image;
    double m_pressedX = -1;
};

}  // namespace flowgauge::widgets
