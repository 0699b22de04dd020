// SPDX-License-Identifier: MIT
// What the user does to the rows of the timeline, and the menu for it.
#include "gui/widgets/row_memory.h"
#include "gui/widgets/timeline_canvas.h"

#include <QContextMenuEvent>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>

namespace flowgauge::widgets {

void TimelineCanvas::rearrange()
{
    rememberRows({}, m_arrangement);
    layOut();
}

void TimelineCanvas::arrange(const timeline::Arrangement& rows)
{
    std::string filter = std::move(m_arrangement.filter);
    m_arrangement = rows;
    m_arrangement.filter = std::move(filter);
    rearrange();
}

void TimelineCanvas::toggleFolded(std::size_t row)
{
    const std::string& id = m_strips.rows()[row].id;
    if (!m_arrangement.folded.erase(id)) m_arrangement.folded.insert(id);
    rearrange();
}

void TimelineCanvas::toggleAllFolded()
{
    std::set<std::string> ranks;
    for (const timeline::Row& row : m_strips.rows())
        if (row.kind == timeline::RowKind::Rank) ranks.insert(row.id);
    const bool folds = !std::includes(m_arrangement.folded.begin(), m_arrangement.folded.end(), ranks.begin(), ranks.end());
    for (const std::string& rank : ranks)
        if (folds)
            m_arrangement.folded.insert(rank);
        else
            m_arrangement.folded.erase(rank);
    rearrange();
}

void TimelineCanvas::togglePinned(std::size_t row)
{
    const std::string& id = m_strips.rows()[row].id;
    if (!m_arrangement.pinned.erase(id)) m_arrangement.pinned.insert(id);
    rearrange();
}

void TimelineCanvas::hideRow(std::size_t row)
{
    m_arrangement.hidden.insert(m_strips.rows()[row].id);
    rearrange();
}

void TimelineCanvas::resizeRow(std::size_t row, bool taller)
{
    timeline::resizeRow(m_strips.rows()[row], m_arrangement, taller);
    rearrange();
}

void TimelineCanvas::setPinnedHeight(int px)
{
    if (m_layout.pinned.empty()) return emit hovered(tr("No row is pinned: the menu of a row pins it."));
    m_arrangement.pinnedPx = px;
    const int shown = pinnedHeight();  // further out there is nothing to come back from
    m_arrangement.pinnedPx = shown == m_layout.pinnedPart(height() - rulerPx) ? 0 : shown;
    rearrange();
}

void TimelineCanvas::showAllRows() { arrange({}); }

void TimelineCanvas::moveRow(std::size_t row, std::size_t target)
{
    timeline::moveRow(m_strips.rows(), m_arrangement, row, target);
    rearrange();
}

void TimelineCanvas::addRowActions(QMenu& menu, std::size_t row)
{
    const auto add = [&](const QString& text, auto act) { connect(menu.addAction(text), &QAction::triggered, this, act); };
    const bool pinned = m_arrangement.pinned.contains(m_strips.rows()[row].id);
    add(pinned ? tr("Unpin the row") : tr("Pin the row to the top"), [this, row] { togglePinned(row); });
    add(tr("Hide the row"), [this, row] { hideRow(row); });
    add(tr("Make the row taller"), [this, row] { resizeRow(row, true); });
    add(tr("Make the row lower"), [this, row] { resizeRow(row, false); });
    if (m_arrangement.pinnedPx > 0) add(tr("Automatic height of the pinned part"), [this] { setPinnedHeight(0); });
    menu.addSeparator();
}

void TimelineCanvas::addKeptRows(QMenu& menu)
{
    connect(menu.addAction(tr("Keep this arrangement of rows as…")), &QAction::triggered, this, [this] {
        const QString name = QInputDialog::getText(this, tr("Keep the rows"), tr("Name of the arrangement")).replace('/', '-');
        if (!name.isEmpty()) rememberRows(name, m_arrangement);
    });
    for (const QString& name : rememberedRows())
        connect(menu.addAction(tr("Rows as in “%1”").arg(name)), &QAction::triggered, this, [this, name] { arrange(recalledRows(name)); });
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    const int at = rowUnder(event->pos().y());
    QMenu menu(this);
    if (at >= 0) addRowActions(menu, static_cast<std::size_t>(at));
    addHopActions(menu);
    connect(menu.addAction(tr("Show all rows, in their order")), &QAction::triggered, this, &TimelineCanvas::showAllRows);
    addKeptRows(menu);
    menu.exec(event->globalPos());
}

}  // namespace flowgauge::widgets
