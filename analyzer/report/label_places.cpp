// SPDX-License-Identifier: MIT
#include "analyzer/report/label_places.h"

#include <algorithm>
#include <cmath>

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
    const double step = std::max(width / 2, 1.0), rightmost = plot.right() - width;
    const auto steps = static_cast<int>(std::floor((rightmost - plot.x) / step));
    for (int i = 0; i <= steps; ++i)
        for (const double y : {lineY - height - off, lineY + off})
            if (y >= plot.y && y + height <= plot.bottom()) places.push_back({rightmost - i * step, y, width, height});
    return places;
}

}  // namespace flowgauge::report
