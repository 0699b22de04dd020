// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/event_filter.h"
#include "gui/timeline/layout.h"
#include "gui/widgets/label_atlas.h"
#include "gui/widgets/strip_cache.h"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRect>

class QPainter;

namespace flowgauge::widgets {

/// What all rows share while one picture is painted.
struct PaintScene {
    const load::RunSnapshot* run = nullptr;
    const StripCache* strips = nullptr;
    LabelAtlas* labels = nullptr;
    timeline::SpanCache* spans = nullptr;  ///< of `scale`
    const timeline::Arrangement* arrangement = nullptr;
    timeline::TimeScale scale;
    int labelPx = 200;
    int widthPx = 0;
    timeline::EventFilter search;  ///< what it admits is framed
    const timeline::Bar* hovered = nullptr;
    std::optional<int> hoveredRank;  ///< whose event that is
    QFont text, note;                ///< style's, made once for all rows
};

/// Paints one row into its rectangle (label and track).
void paintRow(QPainter& painter, const PaintScene& scene, const timeline::Row& row, std::size_t at, const QRect& area);

/// The ruler: ticks with times, and the run's epochs with what lies between them.
void paintRuler(QPainter& painter, const PaintScene& scene, const QRect& area);
inline constexpr int rulerPx = 44;

/// Gaps, evaluations and checkpoints as faint bands behind the rows.
void paintBands(QPainter& painter, const PaintScene& scene, const QRect& area);

}  // namespace flowgauge::widgets
