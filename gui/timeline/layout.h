// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/row.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::timeline {

/// What the user has done to the rows: kept by their ids.
struct Arrangement {
    std::set<std::string> folded, pinned, hidden;
    std::string filter;  ///< words; a row is shown if its label, or a heading above it, holds all; !word: must not
    std::map<std::string, std::vector<std::string>> order;  ///< by id of a heading ("" for hosts): the rows below it, where they were moved
    std::map<std::string, int> heights;                     ///< px of rows that were made taller or lower
    int pinnedPx = 0;                                       ///< of the pinned part, where the user has set it; 0: by itself
    std::vector<int> ranks;                                 ///< shown ranks, in order; empty: all
    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

struct PlacedRow {
    std::size_t row = 0;  ///< position in the rows
    int y = 0, height = 0;
    bool pinned = false;
    friend bool operator==(const PlacedRow&, const PlacedRow&) = default;
};

/// Where the rows lie: pinned ones first, at the top; the others below, from y = 0 again. Each of the two is scrolled where it has too
/// little room.
struct Layout {
    std::vector<PlacedRow> pinned, scrolled;
    int pinnedHeight = 0, scrolledHeight = 0;

    /// Of a picture of that height, what pinned rows take: never more than they need. By itself (wanted: 0) at most half of it; as the
    /// user wants, from what shows a row up to all but `leastScrolled`, so that the others are never pushed out.
    [[nodiscard]] int pinnedPart(int height, int wanted = 0) const;
    static constexpr int leastPinned = 20, leastScrolled = 60;

    /// The scrolled row at a height, or -1.
    [[nodiscard]] int scrolledAt(int y) const;
    [[nodiscard]] int pinnedAt(int y) const;
};

[[nodiscard]] Layout layoutOf(const std::vector<Row>& rows, const Arrangement& arrangement);

[[nodiscard]] int heightOf(const Row& row, const Arrangement& arrangement);
/// Half as tall again, or back; between what is still to be read and half a screen.
void resizeRow(const Row& row, Arrangement& arrangement, bool taller);

/// Moves a row, with what stands below it, to the place of another one: of those that share its heading, the one that holds `target`.
void moveRow(const std::vector<Row>& rows, Arrangement& arrangement, std::size_t row, std::size_t target);

/// Whether the words of a filter let a text pass; case does not matter.
[[nodiscard]] bool passes(std::string_view filter, std::string_view text);

}  // namespace flowgauge::timeline
