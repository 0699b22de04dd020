// SPDX-License-Identifier: MIT
#include "gui/widgets/label_atlas.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {

constexpr std::size_t mostLabels = 2000;  // about 10 KB each
constexpr int longestText = 80;           // letters: a wider box than that holds is rare

/// The left `px` of a picture, at whole pixels: there it is copied, elsewhere it would be interpolated.
void copy(QPainter& painter, double x, double y, const QImage& picture, double px)
{
    const qreal ratio = picture.devicePixelRatio();
    const QSize all = picture.size();
    const int wide = std::min(all.width(), static_cast<int>(std::ceil(px * ratio)));
    const QRectF target(std::round(x * ratio) / ratio, std::round(y * ratio) / ratio, wide / ratio, all.height() / ratio);
    painter.drawImage(target, picture, QRectF(0, 0, wide, all.height()));
}

}  // namespace

LabelAtlas::Label::Label(const QString& text, const QFont& font, const Look& look)
{
    const QFontMetricsF metrics(font);
    for (int letters = 1; letters <= text.size(); ++letters) ends.push_back(metrics.horizontalAdvance(text, letters));
    const QSizeF size(width() + 2, metrics.height());
    picture = QImage((size * look.ratio).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(look.ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setFont(font);
    painter.setPen(QColor::fromRgba(look.ink));
    painter.drawText(QPointF(0, metrics.ascent()), text);
}

LabelAtlas::Shelf& LabelAtlas::shelfOf(const Look& look, const QFont& font)
{
    const auto [at, isNew] = m_shelves.try_emplace(look);
    if (isNew) at->second.ellipsis = Label(QString(QChar(0x2026)), font, look);
    return at->second;
}

void LabelAtlas::draw(QPainter& painter, const QRectF& box, const std::string& text, const QFont& font, const QColor& ink)
{
    if (m_count > mostLabels) {
        m_shelves.clear();
        m_count = 0;
    }
    const Look look{font.pointSizeF(), font.weight(), ink.rgba(), painter.device()->devicePixelRatio()};
    Shelf& shelf = shelfOf(look, font);
    const auto [at, isNew] = shelf.labels.try_emplace(text);
    if (isNew) at->second = Label(QString::fromStdString(text).left(longestText), font, look);
    m_count += isNew ? 1 : 0;
    const Label& label = at->second;
    const double y = box.top() + (box.height() - label.picture.height() / look.ratio) / 2;
    if (label.width() <= box.width()) return copy(painter, box.left(), y, label.picture, label.width() + 2);
    const double room = box.width() - shelf.ellipsis.width();
    const auto beyond = std::upper_bound(label.ends.begin(), label.ends.end(), room);
    const double shown = beyond == label.ends.begin() ? 0 : *(beyond - 1);
    if (shown > 0) copy(painter, box.left(), y, label.picture, shown);
    copy(painter, box.left() + shown, y, shelf.ellipsis.picture, std::min(box.width(), shelf.ellipsis.width()));
}

}  // namespace flowgauge::widgets
