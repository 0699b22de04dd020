// SPDX-License-Identifier: MIT
#include "gui/widgets/minimap.h"

#include "gui/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace flowgauge::widgets {

namespace {
constexpr int leastPx = 16, mostPx = 40;
}

Minimap::Minimap(Navigator& navigator, QWidget* parent) : QWidget(parent), m_navigator(navigator)
{
    setMinimumHeight(leastPx);
    setMaximumHeight(mostPx);
    setToolTip(tr("The whole run. Click or drag to go there."));
    connect(&navigator, &Navigator::changed, this, qOverload<>(&QWidget::update));
}

void Minimap::setRun(const load::RunPtr& run)
{
    m_run = run;
    m_density.clear();
    constexpr std::size_t columns = 400;
    const Interval whole = run->extent;
    if (run->analysis && !run->analysis->parts.empty() && !whole.empty())
        for (std::size_t i = 0; i < columns; ++i) {
            const Nanos width = std::max<Nanos>(1, whole.length() / static_cast<Nanos>(columns));
            const Nanos begin = whole.begin + static_cast<Nanos>(i) * width;
            const Nanos busy = run->analysis->parts.front().compute.totalWithin({begin, begin + width});
            m_density.push_back(static_cast<double>(busy) / static_cast<double>(width));
        }
    update();
}

void Minimap::setIndent(int px)
{
    m_indent = px;
    update();
}

void Minimap::setHits(std::span<const std::uint32_t> bySlice)
{
    m_hits.assign(bySlice.begin(), bySlice.end());
    update();
}

std::size_t Minimap::ticks() const { return m_hits.size() - static_cast<std::size_t>(std::count(m_hits.begin(), m_hits.end(), 0U)); }

void Minimap::paintHits(QPainter& painter)
{
    painter.setPen(style::paper().ink);
    for (std::size_t i = 0; i < m_hits.size(); ++i) {
        if (m_hits[i] == 0) continue;
        const double x = m_indent + (static_cast<double>(i) + 0.5) * trackPx() / static_cast<double>(m_hits.size());
        painter.drawLine(QPointF(x, 1), QPointF(x, 6));
    }
}

double Minimap::xOf(Nanos time) const
{
    const Interval whole = m_navigator.whole();
    const double width = trackPx();
    return m_indent + static_cast<double>(time - whole.begin) / static_cast<double>(std::max<Nanos>(1, whole.length())) * width;
}

void Minimap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), style::paper().background);
    if (!m_run || m_navigator.whole().empty()) return;
    if (m_run->analysis) {
        bool odd = false;
        for (const facts::Epoch& epoch : m_run->analysis->facts.epochs) {
            const QRectF box(xOf(epoch.when.begin), 4, std::max(1.0, xOf(epoch.when.end) - xOf(epoch.when.begin)), height() - 8);
            QColor colour = style::paper().faint;
            colour.setAlpha(odd ? 50 : 80);
            odd = !odd;
            painter.fillRect(box, colour);
        }
    }
    for (std::size_t i = 0; i < m_density.size(); ++i) {
        const double wide = trackPx() / static_cast<double>(m_density.size());
        const double high = m_density[i] * (height() - 8.0);
        painter.fillRect(QRectF(m_indent + static_cast<double>(i) * wide, height() - 4 - high, wide, high),
                         style::colourOf(timeline::Tone::Compute));
    }
    painter.setPen(style::paper().line);
    painter.drawLine(m_indent, height() - 3, width(), height() - 3);
    paintHits(painter);
    const Interval window = m_navigator.window();
    const QRectF handle(xOf(window.begin), 1.5, std::max(4.0, xOf(window.end) - xOf(window.begin) - 1), height() - 4);
    QColor accent = style::paper().accent;
    painter.setPen(QPen(accent, 1.5));
    accent.setAlpha(36);
    painter.setBrush(accent);
    painter.drawRoundedRect(handle, 2, 2);
}

double Minimap::trackPx() const { return std::max(1, width() - m_indent - 2); }

void Minimap::moveTo(double x, std::int64_t gesture)
{
    const Interval whole = m_navigator.whole();
    const Nanos time = whole.begin + static_cast<Nanos>((x - m_indent) / trackPx() * static_cast<double>(whole.length()));
    const Nanos length = m_navigator.window().length();
    m_navigator.showWindow({time - length / 2, time - length / 2 + length}, gesture);
}

void Minimap::mousePressEvent(QMouseEvent* event) { moveTo(event->position().x(), ++m_gesture); }

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton)) moveTo(event->position().x(), m_gesture);
}

}  // namespace flowgauge::widgets
