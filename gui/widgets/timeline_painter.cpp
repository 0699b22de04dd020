// SPDX-License-Identifier: MIT
#include "gui/widgets/timeline_painter.h"

#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/widgets/strip_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {

using timeline::Column;
using timeline::Row;
using timeline::RowKind;
using timeline::Tone;

/// The finest columns there are: the overview below, the fine strip where it reaches.
std::vector<Column> columnsOf(const PaintScene& scene, std::size_t row)
{
    const timeline::Strip* overview = scene.strips->overview(row);
    const timeline::Strip* fine = scene.strips->fine(row);
    const bool usesFine = fine != nullptr && (overview == nullptr || fine->widthLog2 < overview->widthLog2);
    if (usesFine && fine->covers(scene.scale.window, scene.run->extent)) return timeline::columnsOf(*fine, scene.spans->of(*fine));
    std::vector<Column> columns(static_cast<std::size_t>(scene.scale.widthPx));
    if (overview != nullptr) columns = timeline::columnsOf(*overview, scene.spans->of(*overview));
    if (!usesFine) return columns;
    const std::vector<Column> finer = timeline::columnsOf(*fine, scene.spans->of(*fine));
    for (std::size_t x = 0; x < columns.size(); ++x)
        if (finer[x].known) columns[x] = finer[x];
    return columns;
}

std::string lastPart(const std::string& name)
{
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

/// A bar's name where it fits.
void paintLabel(QPainter& painter, const PaintScene& scene, const QRectF& box, const std::string& name, QColor on)
{
    if (box.width() < 24 || box.height() < 11) return;
    const QColor ink = on.lightness() > 150 ? QColor(0x14, 0x14, 0x14) : QColor(Qt::white);
    scene.labels->draw(painter, box.adjusted(3, 0, -2, 0), lastPart(name), painter.font(), ink);
}

bool isSought(const timeline::EventFilter& search, const Row& row, const timeline::Bar& bar)
{
    return !search.empty() && search.admitsRank(row.rank.value_or(-1)) &&
           search.admitsFigures(bar.event.end - bar.event.begin, bar.bytes) && search.admitsName(bar.name, rowOf(bar.event.kind).sqlName);
}

/// Of its name, or tied to it: the launch of a kernel, the kernel of a launch.
bool isLikeHovered(const PaintScene& scene, const Row& row, const timeline::Bar& bar)
{
    if (scene.hovered == nullptr) return false;
    const bool same = scene.hovered->name == bar.name && scene.hovered->event.kind == bar.event.kind;
    return same || (row.rank == scene.hoveredRank && timeline::areTied(*scene.hovered, bar));
}

void paintBars(QPainter& painter, const PaintScene& scene, const Row& row, const load::RowBars& bars, const QRect& area)
{
    const double height = static_cast<double>(area.height() - 2 * padPx) / bars.lanes;
    painter.setFont(scene.note);
    for (const timeline::Bar& bar : bars.bars) {
        if (bar.event.end < scene.scale.window.begin || bar.event.begin > scene.scale.window.end) continue;
        const double left = std::max(0.0, scene.scale.xOf(bar.event.begin));
        const double right = std::min(scene.scale.widthPx, std::max(left + 1, scene.scale.xOf(bar.event.end)));
        const QRectF box(area.left() + left, area.top() + padPx + bar.lane * height, right - left,
                         std::max(1.0, height - (bars.lanes > 1 ? 0.5 : 0)));
        QColor colour = style::shadeOf(bar.tone, bar.shade);
        if (isLikeHovered(scene, row, bar)) colour = colour.lighter(125);
        painter.fillRect(box.width() > 3 ? box.adjusted(0, 0, -0.5, 0) : box, colour);
        if (isSought(scene.search, row, bar)) {
            painter.setPen(QPen(style::paper().ink, 1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (row.kind != RowKind::Communication) paintLabel(painter, scene, box, bar.name, colour);
    }
}

/// The part of communication that no compute hides, over its bars.
void paintExposed(QPainter& painter, const PaintScene& scene, const Row& row, const QRect& area)
{
    if (!scene.run->analysis || row.rankAt >= scene.run->analysis->parts.size()) return;
    const QColor colour = style::colourOf(Tone::ExposedCommunication);
    const facts::IntervalSet exposed = scene.run->analysis->parts[row.rankAt].exposedCommunication.within(scene.scale.window);
    for (const Interval& when : exposed.intervals()) {
        const double left = scene.scale.xOf(when.begin);
        painter.fillRect(
            QRectF(area.left() + left, area.top() + padPx, std::max(1.0, scene.scale.xOf(when.end) - left), area.height() - 2 * padPx),
            colour);
    }
}

void paintCommunicationLabels(QPainter& painter, const PaintScene& scene, const load::RowBars& bars, const QRect& area)
{
    for (const timeline::Bar& bar : bars.bars) {
        const double left = std::max(0.0, scene.scale.xOf(bar.event.begin));
        const double right = std::min(scene.scale.widthPx, scene.scale.xOf(bar.event.end));
        paintLabel(painter, scene, QRectF(area.left() + left, area.top() + padPx, right - left, area.height() - 2 * padPx), bar.name,
                   QColor(Qt::black));
    }
}

void paintSteps(QPainter& painter, const PaintScene& scene, const Row& row, const QRect& area)
{
    if (!scene.run->analysis || row.rankAt >= scene.run->analysis->facts.ranks.size()) return;
    const auto& steps = scene.run->analysis->facts.ranks[row.rankAt].steps;
    auto at = std::lower_bound(steps.begin(), steps.end(), scene.scale.window.begin,
                               [](const facts::Step& step, Nanos time) { return step.when.end <= time; });
    double paintedTo = -1;
    bool odd = (at - steps.begin()) % 2 != 0;
    const QColor colour = style::colourOf(Tone::Mark);
    for (; at != steps.end() && at->when.begin < scene.scale.window.end; ++at, odd = !odd) {
        const double left = std::max(0.0, scene.scale.xOf(at->when.begin));
        const double right = std::min(scene.scale.widthPx, scene.scale.xOf(at->when.end));
        if (right < paintedTo + 1 && right - left < 1) continue;  // a pixel is painted once
        paintedTo = right;
        const QRectF box(area.left() + left, area.top() + padPx + 1, std::max(1.0, right - left), area.height() - 2 * padPx - 2);
        QColor shade = colour;
        shade.setAlpha(right - left < 3 ? 120 : odd ? 90 : 140);
        painter.fillRect(box, shade);
        if (box.width() < 22) continue;
        scene.labels->draw(painter, box.adjusted(3, 0, -1, 0), std::to_string(at->number), scene.note, style::paper().ink);
    }
}

/// Of the finest samples that there are.
void paintCounters(QPainter& painter, const PaintScene& scene, const Row& row, std::size_t at, const QRect& area)
{
    const timeline::Strip* strip = scene.strips->fine(at);
    const timeline::Strip* overview = scene.strips->overview(at);
    if (strip == nullptr || !strip->covers(scene.scale.window, scene.run->extent) ||
        (overview != nullptr && overview->widthLog2 <= strip->widthLog2))
        strip = overview;
    if (strip != nullptr) paintCurves(painter, row, *strip, scene.spans->of(*strip), area);
}

void paintTrack(QPainter& painter, const PaintScene& scene, const Row& row, std::size_t at, const QRect& track)
{
    const load::RowBars* bars = scene.strips->bars(at, scene.scale.window);
    if (bars == nullptr) return paintColumns(painter, columnsOf(scene, at), track);
    paintBars(painter, scene, row, *bars, track);
    if (row.kind != RowKind::Communication) return;
    paintExposed(painter, scene, row, track);
    paintCommunicationLabels(painter, scene, *bars, track);
}

/// Which curve is which: a piece of its line, and its name.
void paintLineNames(QPainter& painter, const Row& row, const QRect& area)
{
    constexpr int piecePx = 10;
    int x = area.left();
    for (std::size_t i = 0; i < row.lines.size(); ++i) {
        const QString name = QString::fromStdString(row.lines[i].label);
        painter.setPen(QPen(colourOfLine(row, i), 2));
        painter.drawLine(x, area.center().y(), x + piecePx, area.center().y());
        painter.setPen(style::paper().faint);
        painter.drawText(QRect(x + piecePx + 4, area.top(), area.right() - x, area.height()), Qt::AlignVCenter | Qt::AlignLeft, name);
        x += piecePx + 4 + painter.fontMetrics().horizontalAdvance(name) + style::space;
    }
}

void paintRowLabel(QPainter& painter, const PaintScene& scene, const Row& row, const QRect& area)
{
    const QRect label(area.left(), area.top(), scene.labelPx, area.height());
    painter.fillRect(label, row.kind == RowKind::Host ? style::paper().background : style::paper().raised);
    const bool heading = row.kind == RowKind::Host || row.kind == RowKind::Rank;
    QFont font = heading ? scene.text : scene.note;
    if (row.kind == RowKind::Host) font.setWeight(QFont::DemiBold);
    const bool named = row.lines.size() > 1 && label.height() >= 2 * QFontMetrics(font).height();
    const QRect text = label.adjusted(22 + 12 * row.depth, 2, -6, named ? -label.height() / 2 : -2);
    scene.labels->draw(painter, text, row.label, font, heading ? style::paper().ink : style::paper().faint);
    painter.setFont(font);
    if (named) paintLineNames(painter, row, text.translated(0, label.height() / 2 - 2));
}

}  // namespace

void paintRow(QPainter& painter, const PaintScene& scene, const Row& row, std::size_t at, const QRect& area)
{
    const QRect track(area.left() + scene.labelPx, area.top(), area.width() - scene.labelPx, area.height());
    if (row.kind == RowKind::Counter) {
        paintCounters(painter, scene, row, at, track);
    } else if (row.kind == RowKind::Rank && scene.arrangement->folded.contains(row.id)) {
        paintHeat(painter, columnsOf(scene, at), track);
    } else if (row.kind == RowKind::Rank) {
        paintSteps(painter, scene, row, track);
    } else if (row.kind != RowKind::Host) {
        paintTrack(painter, scene, row, at, track);
    }
    paintRowLabel(painter, scene, row, area);
    painter.setPen(style::paper().line);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

void paintRuler(QPainter& painter, const PaintScene& scene, const QRect& area)
{
    painter.fillRect(area, style::paper().background);
    painter.setFont(style::note());
    const int ticksTop = area.top() + area.height() / 2;
    for (const timeline::Tick& tick : timeline::ticksOf(scene.scale)) {
        const int x = area.left() + scene.labelPx + static_cast<int>(tick.x);
        painter.setPen(style::paper().line);
        painter.drawLine(x, tick.label.empty() ? area.bottom() - 4 : ticksTop + 2, x, area.bottom());
        painter.setPen(style::paper().faint);
        const QString label = QString::fromStdString(tick.label);
        if (x + 4 + painter.fontMetrics().horizontalAdvance(label) < area.right())
            painter.drawText(QRect(x + 4, ticksTop, 140, area.height() / 2 - 2), Qt::AlignVCenter | Qt::AlignLeft, label);
    }
    if (scene.run == nullptr || !scene.run->analysis) return;
    for (const facts::Epoch& epoch : scene.run->analysis->facts.epochs) {
        const double left = std::clamp(scene.scale.xOf(epoch.when.begin), 0.0, scene.scale.widthPx);
        const double right = std::clamp(scene.scale.xOf(epoch.when.end), 0.0, scene.scale.widthPx);
        if (right - left < 1) continue;
        const QRectF box(area.left() + scene.labelPx + left, area.top() + 3, right - left - 1, area.height() / 2.0 - 5);
        painter.fillRect(box, style::paper().line);
        painter.setPen(style::paper().ink);
        const QString text = QString("epoch %1").arg(epoch.number);
        if (box.width() > QFontMetricsF(painter.font()).horizontalAdvance(text) + 8)
            painter.drawText(box.adjusted(4, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

void paintBands(QPainter& painter, const PaintScene& scene, const QRect& area)
{
    if (scene.run == nullptr || !scene.run->analysis) return;
    const facts::RunFacts& facts = scene.run->analysis->facts;
    const auto band = [&](Interval when, Qt::BrushStyle hatch) {
        const double left = std::max(0.0, scene.scale.xOf(when.begin));
        const double right = std::min(scene.scale.widthPx, scene.scale.xOf(when.end));
        if (right - left < 1) return;
        QColor colour = style::colourOf(Tone::Gap);
        colour.setAlpha(style::isDark() ? 70 : 120);
        painter.fillRect(QRectF(area.left() + scene.labelPx + left, area.top(), right - left, area.height()), QBrush(colour, hatch));
    };
    for (std::size_t i = 1; i < facts.epochs.size(); ++i)
        band({facts.epochs[i - 1].when.end, facts.epochs[i].when.begin}, Qt::BDiagPattern);
    if (facts.ranks.empty()) return;
    const facts::IntervalSet evaluations = facts.ranks.front().phase(facts::Phase::Evaluation);
    const facts::IntervalSet checkpoints = facts.ranks.front().phase(facts::Phase::Checkpoint);
    for (const Interval& when : evaluations.intervals()) band(when, Qt::FDiagPattern);
    for (const Interval& when : checkpoints.intervals()) band(when, Qt::DiagCrossPattern);
}

}  // namespace flowgauge::widgets
