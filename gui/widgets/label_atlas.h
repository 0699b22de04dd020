// SPDX-License-Identifier: MIT
#pragma once
#include <QColor>
#include <QFont>
#include <QImage>

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

class QPainter;
class QRectF;

namespace flowgauge::widgets {

/// Pictures of short texts, made once. Laying a text out costs far more than copying its picture, and a frame of the timeline holds up to
/// thousands.
class LabelAtlas {
public:
    /// Draws a text in the middle of the box's height, from its left edge; letters that do not fit give way to an ellipsis.
    void draw(QPainter& painter, const QRectF& box, const std::string& text, const QFont& font, const QColor& ink);

private:
    struct Look {
        double pointSize;
        int weight;
        QRgb ink;
        qreal ratio;  ///< of device pixels
        friend bool operator<(const Look& left, const Look& right)
        {
            const auto parts = [](const Look& look) { return std::tie(look.pointSize, look.weight, look.ink, look.ratio); };
            return parts(left) < parts(right);
        }
    };
    struct Label {
        QImage picture;
        std::vector<double> ends;  ///< right edge of each letter, px
        Label() = default;
        Label(const QString& text, const QFont& font, const Look& look);
        [[nodiscard]] double width() const { return ends.empty() ? 0 : ends.back(); }
    };
    struct Shelf {
        std::unordered_map<std::string, Label> labels;
        Label ellipsis;
    };
    Shelf& shelfOf(const Look& look, const QFont& font);

    std::map<Look, Shelf> m_shelves;
    std::size_t m_count = 0;
};

}  // namespace flowgauge::widgets
