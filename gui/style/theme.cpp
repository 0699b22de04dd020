// SPDX-License-Identifier: MIT
#include "gui/style/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include <array>

namespace flowgauge::style {

namespace {

const Paper lightPaper{QColor(0xfafafa), QColor(0xffffff), QColor(0xdcdcdc), QColor(0x1c1c1e),
                       QColor(0x6a6a70), QColor(0x0b62a4), QColor(0xb3261e)};
const Paper darkPaper{QColor(0x1b1c1f), QColor(0x25262a), QColor(0x3b3d42), QColor(0xe8e8ea),
                      QColor(0x9c9ca4), QColor(0x6cb6f0), QColor(0xff8a80)};

bool dark = false;

bool systemIsDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

QPalette paletteOf(const Paper& paper)
{
    QPalette palette;
    palette.setColor(QPalette::Window, paper.background);
    palette.setColor(QPalette::Base, paper.raised);
    palette.setColor(QPalette::AlternateBase, paper.raised);
    palette.setColor(QPalette::Button, paper.raised);
    palette.setColor(QPalette::ToolTipBase, paper.raised);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, paper.ink);
    palette.setColor(faintRole, paper.faint);
    palette.setColor(warningRole, paper.warning);
    palette.setColor(QPalette::Highlight, paper.accent);
    palette.setColor(QPalette::HighlightedText, paper.background);
    palette.setColor(QPalette::Link, paper.accent);
    palette.setColor(QPalette::Mid, paper.line);
    palette.setColor(QPalette::Light, paper.raised);  // lines around tabs: Qt's own would be white on dark paper
    palette.setColor(QPalette::Midlight, paper.line);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, paper.faint);
    return palette;
}

QFont scaled(double factor, QFont::Weight weight = QFont::Normal)
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

}  // namespace

void apply(QApplication& application, Theme theme)
{
    static const bool system = systemIsDark(QApplication::palette());
    dark = theme == Theme::Dark || (theme == Theme::System && system);
    if (QApplication::style() == nullptr || QApplication::style()->objectName() != "fusion")
        QApplication::setStyle(QStyleFactory::create("Fusion"));
    QApplication::setPalette(paletteOf(paper()));
    application.setStyleSheet(QString("QToolTip { color: %1; background: %2; border: 1px solid %3; padding: 4px; }")
                                  .arg(css(paper().ink), css(paper().raised), css(paper().line)));
}

const Paper& paper() { return dark ? darkPaper : lightPaper; }

bool isDark() { return dark; }

QColor colourOf(timeline::Tone tone)
{
    static constexpr std::array<QRgb, timeline::toneCount> colours{0x00000000U, 0xff0072b2U, 0xff56b4e9U, 0xffd55e00U, 0xffe69f00U,
                                                                   0xffcc79a7U, 0xfff0e442U, 0xfff0e442U, 0xfff0e442U, 0xff009e73U,
                                                                   0xff999999U, 0xff8a8f98U, 0xfff0e442U};
    return QColor::fromRgba(colours[static_cast<std::size_t>(tone)]);
}

QColor shadeOf(timeline::Tone tone, std::string_view name) { return shadeOf(tone, timeline::shadeOf(name)); }

QColor shadeOf(timeline::Tone tone, int shade)
{
    using Shades = std::array<QColor, timeline::shadeCount>;
    // Made once: a frame asks for a hundred thousand, and each takes a way through hue and saturation.
    static const auto table = [] {
        static constexpr std::array<int, timeline::shadeCount> lightness{100, 88, 112, 80, 122};
        std::array<Shades, timeline::toneCount> made;
        for (std::size_t of = 0; of < made.size(); ++of)
            for (std::size_t i = 0; i < lightness.size(); ++i)
                made[of][i] = colourOf(static_cast<timeline::Tone>(of)).lighter(lightness[i]);
        return made;
    }();
    return table[static_cast<std::size_t>(tone)][static_cast<std::size_t>(shade) % timeline::shadeCount];
}

void fill(QPainter& painter, const QRectF& area, timeline::Tone tone)
{
    painter.fillRect(area, colourOf(tone));
    const Qt::BrushStyle hatch = tone == timeline::Tone::Gap          ? Qt::BDiagPattern
                                 : tone == timeline::Tone::Evaluation ? Qt::FDiagPattern
                                 : tone == timeline::Tone::Checkpoint ? Qt::DiagCrossPattern
                                 : tone == timeline::Tone::Unwritten  ? Qt::HorPattern
                                                                      : Qt::NoBrush;
    if (hatch != Qt::NoBrush) painter.fillRect(area, QBrush(QColor(0, 0, 0, 110), hatch));
}

QFont text() { return QApplication::font(); }
QFont note() { return scaled(0.88); }
QFont title() { return scaled(1.25, QFont::DemiBold); }

QString css(const QColor& colour) { return colour.name(); }

}  // namespace flowgauge::style
