// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/chart.h"

#include <QWidget>

#include <functional>
#include <optional>

namespace flowgauge::widgets {

/// Draws a chart: its question, a legend, axes with units, ceilings, bands, and what is under the mouse. A click tells the slot,
/// a drag along a time axis tells the piece of time.
class ChartWidget : public QWidget {
    Q_OBJECT
public:
    explicit ChartWidget(QWidget* parent = nullptr);
    void setChart(timeline::Chart chart);
    [[nodiscard]] const timeline::Chart& chart() const { return m_chart; }
    [[nodiscard]] QSize sizeHint() const override { return {420, 230}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }
    [[nodiscard]] QRectF plot() const;  ///< where the values lie
    /// Marks slots, those of the shown window for instance.
    void setMarked(std::function<bool(std::size_t)> marked);

signals:
    void picked(int slot);
    void timePicked(flowgauge::Interval when);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QString tipAt(std::size_t slot) const;
    [[nodiscard]] Nanos timeAt(double x) const;

    timeline::Chart m_chart;
    std::function<bool(std::size_t)> m_marked;
    std::optional<std::size_t> m_hovered;
    std::optional<double> m_pressedX;
    double m_x = 0;
};

}  // namespace flowgauge::widgets
