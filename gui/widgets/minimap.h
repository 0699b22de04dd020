// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/snapshot.h"
#include "gui/widgets/navigator.h"

#include <QWidget>

#include <cstdint>
#include <span>
#include <vector>

namespace flowgauge::widgets {

/// The whole run on a thin strip: epochs as bands, where the steps' time went as density, the shown window as a handle.
class Minimap : public QWidget {
    Q_OBJECT
public:
    explicit Minimap(Navigator& navigator, QWidget* parent = nullptr);
    void setRun(const load::RunPtr& run);
    void setIndent(int px);  ///< where its time begins: below it the rows' names do
    /// Hits of the search, in equal slices of the run; drawn as ticks.
    void setHits(std::span<const std::uint32_t> bySlice);
    [[nodiscard]] std::size_t ticks() const;  ///< slices with a hit

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void paintHits(QPainter& painter);
    void moveTo(double x, std::int64_t gesture);
    [[nodiscard]] double xOf(Nanos time) const;
    [[nodiscard]] double trackPx() const;

    Navigator& m_navigator;
    load::RunPtr m_run;
    std::vector<std::uint32_t> m_hits;
    std::vector<double> m_density;  ///< share of compute of the first rank, over the run
    int m_indent = 190;
    std::int64_t m_gesture = 5;
};

}  // namespace flowgauge::widgets
