// SPDX-License-Identifier: MIT
// Arrows between the ranks' calls of the selected collective, and on to those around it.
#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/widgets/timeline_canvas.h"

#include <QMenu>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace flowgauge::widgets {

namespace {

constexpr int mostArrows = 400;
constexpr double headPx = 6;

bool touches(const timeline::Flow& flow, Interval shown)
{
    return std::any_of(flow.partners.begin(), flow.partners.end(),
                       [&](const timeline::Partner& partner) { return partner.when.begin < shown.end && partner.when.end > shown.begin; });
}

const timeline::Partner* callOf(const timeline::Flow& flow, std::size_t rankAt)
{
    const auto found = std::find_if(flow.partners.begin(), flow.partners.end(), [&](const auto& one) { return one.rankAt == rankAt; });
    return found == flow.partners.end() ? nullptr : &*found;
}

}  // namespace

void TimelineCanvas::findFlows()
{
    m_flows.clear();
    if (m_selected && m_selectedRow && m_run && m_run->analysis)
        m_flows = timeline::flowsOf(m_run->analysis->facts, m_strips.rows()[*m_selectedRow].rankAt, m_selected->event, m_hops);
}

void TimelineCanvas::setHops(int hops)
{
    if (hops > timeline::mostHops) return emit hovered(tr("Arrows are followed over %1 hops and no further.").arg(timeline::mostHops));
    if (hops < 1) return emit hovered(tr("Arrows join the selected collective on all ranks: that is one hop."));
    m_hops = hops;
    findFlows();
    emit hopsChanged(hops);
    emit hovered(m_selected ? detailsOf(*m_selected) + meetingText()
                            : tr("arrows of a selected collective: %1").arg(QString::fromStdString(report::plural(hops, "hop", "hops"))));
    update();
}

void TimelineCanvas::addHopActions(QMenu& menu)
{
    const auto add = [&](const QString& text, int hops) {
        QAction* action = menu.addAction(text);
        action->setEnabled(hops >= 1 && hops <= timeline::mostHops);
        connect(action, &QAction::triggered, this, [this, hops] { setHops(hops); });
    };
    add(tr("Arrows one hop further (now %1 of at most %2)").arg(m_hops).arg(timeline::mostHops), m_hops + 1);
    add(tr("Arrows one hop less"), m_hops - 1);
    menu.addSeparator();
}

/// Where the rows of communication lie that are in sight, from above, by the rank's position in the facts.
std::multimap<std::size_t, QRect> TimelineCanvas::communicationAreas() const
{
    std::multimap<std::size_t, QRect> areas;
    for (const auto* part : {&m_layout.pinned, &m_layout.scrolled})
        for (const timeline::PlacedRow& placed : *part) {
            const timeline::Row& row = m_strips.rows()[placed.row];
            if (row.kind != timeline::RowKind::Communication) continue;
            const QRect area = rectOf(placed);
            const int top = placed.pinned ? rulerPx : rulerPx + pinnedHeight();
            if (area.bottom() >= top && area.top() <= (placed.pinned ? rulerPx + pinnedHeight() : height()))
                areas.emplace(row.rankAt, area);
        }
    return areas;
}

double TimelineCanvas::xOf(Nanos time) const
{
    const timeline::TimeScale shown = scale();
    return m_labelPx + std::clamp(shown.xOf(time), 0.0, shown.widthPx);
}

/// A frame around the rank's call, and where its clock leaves a doubt of a pixel or more, how far that reaches.
void TimelineCanvas::paintPartner(QPainter& painter, const timeline::Partner& partner, const QRect& area) const
{
    const QColor colour = partner.last ? style::colourOf(timeline::Tone::ExposedCommunication) : style::paper().accent;
    painter.setPen(QPen(colour, partner.last ? 2 : 1.2));
    const double x = xOf(partner.when.begin);
    painter.drawRect(QRectF(x, area.top() + 1.5, std::max(2.0, xOf(partner.when.end) - x), area.height() - 3.0));
    if (!partner.isPlaced() || static_cast<double>(partner.doubt) < scale().nanosPerPx()) return;
    const double left = xOf(partner.came - partner.doubt), right = xOf(partner.came + partner.doubt), y = area.center().y();
    painter.setPen(QPen(style::paper().ink, 1.2));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    for (const double end : {left, right}) painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4));
}

/// Along the rank that took part in both, from the one to the next.
void TimelineCanvas::paintHop(QPainter& painter, const timeline::Flow& flow, const QRect& area) const
{
    const timeline::Partner *before = callOf(m_flows[flow.from], flow.via), *after = callOf(flow, flow.via);
    if (before == nullptr || after == nullptr) return;
    if (after->when.begin < before->when.begin) std::swap(before, after);
    const double from = xOf(before->when.end), to = xOf(after->when.begin), y = area.center().y();
    if (to - from < headPx) return;
    painter.setPen(QPen(style::paper().accent, 1.2));
    painter.setBrush(style::paper().accent);
    painter.drawLine(QPointF(from, y), QPointF(to - headPx, y));
    painter.drawPolygon(QPolygonF{{to, y}, {to - headPx, y - 3}, {to - headPx, y + 3}});
    painter.setBrush(Qt::NoBrush);
}

/// All calls of one collective, joined from rank to rank. arrows: how many more may be drawn.
void TimelineCanvas::paintFlow(QPainter& painter, const timeline::Flow& flow, const std::multimap<std::size_t, QRect>& areas,
                               int& arrows) const
{
    std::optional<QPointF> before;
    for (const timeline::Partner& partner : flow.partners) {
        const auto [first, end] = areas.equal_range(partner.rankAt);
        for (auto at = first; at != end && arrows > 0; ++at, --arrows) {
            paintPartner(painter, partner, at->second);
            const QPointF start(xOf(partner.came), at->second.center().y());
            painter.setPen(QPen(style::paper().accent, 1.2, partner.isPlaced() ? Qt::SolidLine : Qt::DotLine));
            if (before) painter.drawLine(*before, start);
            before = start;
            if (flow.hop > 1 && partner.rankAt == flow.via) paintHop(painter, flow, at->second);
        }
    }
}

/// What is further away is fainter, and is what is left out first where there are too many.
void TimelineCanvas::paintFlows(QPainter& painter)
{
    if (m_flows.empty() || (m_flows.size() == 1 && m_flows.front().partners.size() < 2)) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto areas = communicationAreas();
    int arrows = mostArrows;
    for (const timeline::Flow& flow : m_flows) {
        if (flow.hop > 1 && !touches(flow, m_navigator.window())) continue;
        painter.setOpacity(flow.hop == 1 ? 1.0 : std::max(0.35, 0.85 - 0.1 * flow.hop));
        paintFlow(painter, flow, areas, arrows);
    }
    painter.setOpacity(1);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString TimelineCanvas::hopsText() const
{
    QString text = tr("   arrows over %1").arg(QString::fromStdString(report::plural(m_hops, "hop", "hops")));
    if (m_hops > 1) text += tr(": %1 collectives").arg(m_flows.size());
    std::size_t calls = 0;
    for (const timeline::Flow& flow : m_flows) calls += flow.partners.size();
    if (m_flows.size() == timeline::mostFlows) text += tr(", the most that are followed");
    if (calls > static_cast<std::size_t>(mostArrows)) text += tr(", %1 calls, of which at most %2 are drawn").arg(calls).arg(mostArrows);
    return text;
}

QString TimelineCanvas::meetingText() const
{
    if (m_flows.empty()) return {};
    const std::vector<timeline::Partner>& partners = m_flows.front().partners;
    if (partners.size() < 2) return m_hops > 1 ? hopsText() : QString();
    const auto rankOf = [this](const timeline::Partner& one) { return m_run->analysis->facts.ranks[one.rankAt].rank; };
    const timeline::Arrivals arrivals = timeline::arrivalsOf(partners);
    if (!arrivals.first.isPlaced() || !arrivals.last.isPlaced())
        return tr("   who came last is not known: the hosts' clocks are not") + hopsText();
    QString text = tr("   rank %1 came last, %2 after rank %3")
                       .arg(rankOf(arrivals.last))
                       .arg(QString::fromStdString(report::duration(arrivals.apart)))
                       .arg(rankOf(arrivals.first));
    if (arrivals.doubt > 0)
        text += tr(" (± %1%2)")
                    .arg(QString::fromStdString(report::duration(arrivals.doubt)),
                         arrivals.isSure() ? QString() : tr(": the clocks do not tell who"));
    return text + hopsText();
}

}  // namespace flowgauge::widgets
