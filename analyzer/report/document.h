// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A report as a person reads it, before it is text, Markdown or HTML: words are words and numbers are formatted (units.h); only charts
/// keep values, since they are drawn.
namespace flowgauge::report {

/// A colour by what it means: the same in every view and every run.
enum class Paint : std::uint8_t { Compute, Communication, Copy, Input, Idle, Border, Storage, Hidden, Neutral };

/// What the values of an axis are.
enum class Quantity : std::uint8_t { BytesPerSecond, PerSecond, Duration, Share, Ratio, Count, GpuSeconds };

struct Paragraph {
    std::string text;
};

/// Words under one heading each, one below the other: "Not measured", "Our cost".
struct Terms {
    std::vector<std::pair<std::string, std::string>> items;
};

/// A few numbers that are seen first.
struct Tile {
    std::string label, value, note;
    std::string link;  ///< id of what it is taken from; "": nothing
};
struct Tiles {
    std::vector<Tile> tiles;
};

struct BarPart {
    Paint paint = Paint::Neutral;
    std::string name, text;
    double share = 0;  ///< 0..1
};
/// A whole in its parts.
struct PartsBar {
    std::string what, length, sql;
    std::vector<BarPart> parts;
    std::vector<std::string> remarks;
};

struct Table {
    std::string id, title;
    std::vector<std::vector<std::string>> rows;  ///< the first is the head; cells may be missing at the end
    std::vector<std::string> notes;
    std::string sql;  ///< what gives the same numbers
    bool folded = false;
};

struct Series {
    std::string name;
    Paint paint = Paint::Neutral;
    std::vector<double> values;  ///< finite; one a slice of time, or one a category
    bool reference = false;      ///< somebody else's numbers: drawn thin and dashed
};
struct Band {
    std::string id, label;
    Interval when;
    bool evidence = false;  ///< shown when its link is followed; else an epoch
};
struct Rule {
    double value = 0;
    std::string label;
};
enum class Shape : std::uint8_t { Lines, Stacked, Bars };

/// Answers one question, which is its title.
struct Chart {
    std::string id, question;
    Shape shape = Shape::Lines;
    Quantity quantity = Quantity::BytesPerSecond;
    Interval when;                        ///< of Lines and Stacked: what the slices cover
    std::vector<std::string> categories;  ///< of Bars
    std::vector<Series> series;
    std::vector<Band> bands;
    std::vector<Rule> rules;
    std::string sql, empty;  ///< empty: what would fill it, where nothing is to be drawn
};

struct Place {
    std::string id, text, sql;
};
/// A finding.
struct Card {
    std::string id, title, amount, where, gain;
    bool worthFixing = false;
    std::string verdict, advice, toBeSure;
    std::vector<std::string> details;
    std::vector<Place> evidence;
};

using Block = std::variant<Paragraph, Terms, Tiles, PartsBar, Table, Chart, Card>;

struct Section {
    std::string id, title;
    std::vector<Block> blocks;
};

struct Document {
    std::string title, subtitle, date;
    std::string warning;  ///< stands above all: "SIMULATION ..."
    std::string lead;     ///< the answer, one sentence
    bool healthy = true;
    std::vector<Section> sections;
};

/// For a terminal: no colour, at most `width` columns; charts as a line of blocks for each series.
[[nodiscard]] std::string plainOf(const Document& document, int width = 100);
/// GitHub's dialect; charts as their question and range.
[[nodiscard]] std::string markdownOf(const Document& document);
/// One file that needs nothing else: style and drawings inside, no script, no request.
[[nodiscard]] std::string htmlOf(const Document& document);

}  // namespace flowgauge::report
