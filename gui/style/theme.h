// SPDX-License-Identifier: MIT
#pragma once
#include "gui/timeline/tone.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <string_view>

class QApplication;
class QPainter;
class QRectF;

/// The visual language of the window: one colour for one meaning, light and dark, safe for colour-blind readers.
namespace flowgauge::style {

enum class Theme : std::uint8_t { System, Light, Dark };

/// Colours of the paper on which everything is drawn.
struct Paper {
    QColor background, raised;  ///< of the window; of cards and tables
    QColor line;                ///< thin separators and grid lines
    QColor ink, faint;          ///< text; text of less weight
    QColor accent;              ///< selection, links, what has the focus
    QColor warning;
};

/// Applies a theme to the whole program; paper() tells the one in force.
void apply(QApplication& application, Theme theme);
[[nodiscard]] const Paper& paper();
[[nodiscard]] bool isDark();

[[nodiscard]] QColor colourOf(timeline::Tone tone);
/// A shade within a tone's own colour, the same for a name in every view and run.
[[nodiscard]] QColor shadeOf(timeline::Tone tone, std::string_view name);
[[nodiscard]] QColor shadeOf(timeline::Tone tone, int shade);  ///< timeline::shadeOf(name)

/// Fills with a tone, hatched where the tone is (gap, evaluation, checkpoint): colour is never the only sign.
void fill(QPainter& painter, const QRectF& area, timeline::Tone tone);

/// Fonts: the text's, a smaller one for axes and notes, a larger one for titles; figures of equal width in all.
[[nodiscard]] QFont text();
[[nodiscard]] QFont note();
[[nodiscard]] QFont title();

/// Roles for the words of a label that are not ink: in a palette they follow a change of the theme.
inline constexpr QPalette::ColorRole faintRole = QPalette::PlaceholderText, warningRole = QPalette::BrightText;

/// A colour as "#rrggbb" for rich text.
[[nodiscard]] QString css(const QColor& colour);

/// Distances that everything keeps, in logical pixels.
inline constexpr int space = 8;
inline constexpr int margin = 16;

}  // namespace flowgauge::style
