// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

namespace flowgauge::report {

/// A rectangle of a picture, y growing downwards.
struct LabelBox {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] bool overlaps(const LabelBox& other) const
    {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
};

/// Where words stand in one picture: none is written over another.
class LabelPlaces {
public:
    /// Takes the first of these places at which nothing stands yet. None: the words are left out.
    [[nodiscard]] std::optional<LabelBox> take(const std::vector<LabelBox>& wanted);

private:
    std::vector<LabelBox> m_taken;
};

/// Places for the name of a level line at height `lineY` inside of a plot: above its right end, below it, then further and further left.
[[nodiscard]] std::vector<LabelBox> placesAlong(double lineY, const LabelBox& plot, double width, double height);

}  // namespace flowgauge::report
