// SPDX-License-Identifier: MIT
#include "analyzer/report/label_places.h"

#include <algorithm>

namespace flowgauge::report {

std::optional<LabelBox> LabelPlaces::take(const std::vector<LabelBox>& wanted)
{
    for (const LabelBox& box : wanted) {
        if (std::any_of(m_taken.begin(), m_taken.end(), [&](const LabelBox& other) { return box.overlaps(other); })) continue;
        m_taken.push_back(box);
        return box;
    }
    return std::nullopt;
}

std::vector<LabelBox> placesAlong(double lineY, const LabelBox& plot, double width, double height)
{
    constexpr double off = 1;  // the line itself stays free
    std::vector<LabelBox> places;
    for (double x = plot.right() - width; x >= plot.x; x -= std::max(width / 2, 1.0))
        for (const double y : {lineY - height - off, lineY + off})
            if (y >= plot.y && y + height <= plot.bottom()) places.push_back({x, y, width, height});
    return places;
}

}  // namespace flowgauge::report
