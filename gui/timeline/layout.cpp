// SPDX-License-Identifier: MIT
#include "gui/timeline/layout.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace flowgauge::timeline {

namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return result;
}

std::string pathOf(const std::vector<Row>& rows, const Row& row)
{
    std::string path = row.label;
    for (auto above = row.parent; above; above = rows[*above].parent) path.insert(0, rows[*above].label + ' ');
    return path;
}

bool isFolded(const std::vector<Row>& rows, const Row& row, const Arrangement& arrangement)
{
    for (auto above = row.parent; above; above = rows[*above].parent)
        if (arrangement.folded.contains(rows[*above].id)) return true;
    return false;
}

bool isShown(const std::vector<Row>& rows, const Row& row, const Arrangement& arrangement)
{
    if (arrangement.hidden.contains(row.id)) return false;
    if (row.rank && !arrangement.ranks.empty() && !std::binary_search(arrangement.ranks.begin(), arrangement.ranks.end(), *row.rank))
        return false;
    return row.kind != RowKind::Host && passes(arrangement.filter, pathOf(rows, row));
}

int rowAt(const std::vector<PlacedRow>& rows, int y)
{
    const auto after = std::upper_bound(rows.begin(), rows.end(), y, [](int at, const PlacedRow& row) { return at < row.y; });
    if (after == rows.begin()) return -1;
    const PlacedRow& row = *(after - 1);
    return y < row.y + row.height ? static_cast<int>(after - rows.begin()) - 1 : -1;
}

std::string headingOf(const std::vector<Row>& rows, std::optional<std::size_t> parent) { return parent ? rows[*parent].id : std::string(); }

/// The rows below a heading, as the user arranged them; rows that this arrangement does not know keep their place behind.
std::vector<std::size_t> childrenOf(const std::vector<Row>& rows, const Arrangement& arrangement, std::optional<std::size_t> parent)
{
    std::vector<std::size_t> children;
    for (std::size_t at = parent ? *parent + 1 : 0; at < rows.size(); ++at)
        if (rows[at].parent == parent) children.push_back(at);
    const auto moved = arrangement.order.find(headingOf(rows, parent));
    if (moved == arrangement.order.end()) return children;
    const auto placeOf = [&](std::size_t row) { return std::find(moved->second.begin(), moved->second.end(), rows[row].id); };
    std::stable_sort(children.begin(), children.end(), [&](std::size_t left, std::size_t right) { return placeOf(left) < placeOf(right); });
    return children;
}

void addOrdered(const std::vector<Row>& rows, const Arrangement& arrangement, std::optional<std::size_t> parent,
                std::vector<std::size_t>& order)
{
    for (const std::size_t child : childrenOf(rows, arrangement, parent)) {
        order.push_back(child);
        addOrdered(rows, arrangement, child, order);
    }
}

std::vector<std::size_t> ordered(const std::vector<Row>& rows, const Arrangement& arrangement)
{
    std::vector<std::size_t> order;
    if (!arrangement.order.empty()) {
        addOrdered(rows, arrangement, std::nullopt, order);
        return order;
    }
    order.resize(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

/// Rows that pass, in order, each under its headings: without them nobody could tell whose a row is. Headings of which nothing is left
/// say nothing and are left out.
std::vector<std::size_t> shownRows(const std::vector<Row>& rows, const Arrangement& arrangement)
{
    std::vector<bool> shown(rows.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (!isShown(rows, rows[at], arrangement)) continue;
        for (std::optional<std::size_t> up = at; up; up = rows[*up].parent)
            if (!arrangement.hidden.contains(rows[*up].id)) shown[*up] = true;
    }
    std::vector<std::size_t> positions;
    for (const std::size_t at : ordered(rows, arrangement))
        if (shown[at]) positions.push_back(at);
    return positions;
}

}  // namespace

bool passes(std::string_view filter, std::string_view text)
{
    const std::string whole = lower(text);
    const std::string words = lower(filter);
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        const std::string word = words.substr(at, end - at);
        at = end + 1;
        if (word.empty() || word == "!") continue;
        const bool forbids = word.front() == '!';
        const bool holds = whole.find(forbids ? word.substr(1) : word) != std::string::npos;
        if (holds == forbids) return false;
    }
    return true;
}

int heightOf(const Row& row, const Arrangement& arrangement)
{
    const auto own = arrangement.heights.find(row.id);
    return own == arrangement.heights.end() ? row.heightPx : own->second;
}

void resizeRow(const Row& row, Arrangement& arrangement, bool taller)
{
    constexpr int least = 10, most = 500;
    const int height = heightOf(row, arrangement);
    arrangement.heights[row.id] = std::clamp(taller ? height * 3 / 2 : height * 2 / 3, least, most);
}

void moveRow(const std::vector<Row>& rows, Arrangement& arrangement, std::size_t row, std::size_t target)
{
    std::optional<std::size_t> sibling = target;
    while (sibling && rows[*sibling].parent != rows[row].parent) sibling = rows[*sibling].parent;
    if (!sibling || *sibling == row) return;
    std::vector<std::size_t> order = childrenOf(rows, arrangement, rows[row].parent);
    const auto from = std::find(order.begin(), order.end(), row);
    const auto to = std::find(order.begin(), order.end(), *sibling);
    if (from < to)
        std::rotate(from, from + 1, to + 1);
    else
        std::rotate(to, from, from + 1);
    auto& ids = arrangement.order[headingOf(rows, rows[row].parent)];
    ids.clear();
    for (const std::size_t at : order) ids.push_back(rows[at].id);
}

int Layout::pinnedPart(int height, int wanted) const
{
    const int half = std::max(0, height / 2);
    if (wanted <= 0) return std::min(pinnedHeight, half);
    const int most = std::max(half, height - leastScrolled);
    return std::min({pinnedHeight, std::max(wanted, leastPinned), most});
}
int Layout::scrolledAt(int y) const { return rowAt(scrolled, y); }
int Layout::pinnedAt(int y) const { return rowAt(pinned, y); }

Layout layoutOf(const std::vector<Row>& rows, const Arrangement& arrangement)
{
    Layout layout;
    for (const std::size_t at : shownRows(rows, arrangement)) {
        const Row& row = rows[at];
        const bool pinned = arrangement.pinned.contains(row.id);
        if (!pinned && isFolded(rows, row, arrangement)) continue;
        int& y = pinned ? layout.pinnedHeight : layout.scrolledHeight;
        (pinned ? layout.pinned : layout.scrolled).push_back({at, y, heightOf(row, arrangement), pinned});
        y += heightOf(row, arrangement);
    }
    return layout;
}

}  // namespace flowgauge::timeline
