// SPDX-License-Identifier: MIT
#include "analyzer/report/lines.h"

#include <algorithm>
#include <array>

namespace flowgauge::report {
namespace {

bool startsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

bool isDigit(char byte) { return byte >= '0' && byte <= '9'; }

bool isUnit(std::string_view word)
{
    while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (word.ends_with("/s")) word.remove_suffix(2);
    constexpr std::array<std::string_view, 15> units{"ns", "µs", "ms", "s",  "min", "h",   "B",  "kB",
                                                     "MB", "GB", "TB", "PB", "%",   "KiB", "MiB"};
    return std::find(units.begin(), units.end(), word) != units.end();
}

bool isNumbered(std::string_view word)
{
    constexpr std::array<std::string_view, 7> things{"rank", "ranks", "epoch", "epochs", "step", "Rank", "Epoch"};
    return std::find(things.begin(), things.end(), word) != things.end();
}

/// Whether a line must not end between the two: in a quantity, before its error, between a thing and its number.
bool belongTogether(std::string_view word, std::string_view next)
{
    if (word.empty() || next.empty()) return false;
    if (isDigit(word.back()) && (isUnit(next) || next == "GPU")) return true;
    if (word == "GPU" && isUnit(next)) return true;
    if (word.ends_with("±") || word.ends_with("<") || word == "→" || next.starts_with("(±")) return true;
    return isDigit(next.front()) && (word == "h" || word == "min" || isNumbered(word));
}

/// The first words of a text up to a place where a line may end; takes them, and the space behind, off the text.
std::string_view takeUnbreakable(std::string_view& text)
{
    std::size_t begin = 0;
    std::size_t end = std::min(text.find(' '), text.size());
    while (end < text.size()) {
        const std::size_t nextEnd = std::min(text.find(' ', end + 1), text.size());
        if (!belongTogether(text.substr(begin, end - begin), text.substr(end + 1, nextEnd - end - 1))) break;
        begin = end + 1;
        end = nextEnd;
    }
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

}  // namespace

int columnsOf(std::string_view text) { return static_cast<int>(std::count_if(text.begin(), text.end(), startsCharacter)); }

std::string padded(std::string_view text, int columns) { return std::string(text) + spaces(columns - columnsOf(text)); }

std::string paddedLeft(std::string_view text, int columns) { return spaces(columns - columnsOf(text)) + std::string(text); }

std::string cut(std::string_view text, int columns)
{
    if (columnsOf(text) <= columns) return std::string(text);
    int kept = 0;
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (startsCharacter(text[at]) && ++kept == std::max(columns, 1)) break;
    return std::string(text.substr(0, at)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, int width)
{
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const std::string_view word = takeUnbreakable(text);
        const int needed = columnsOf(lines.back()) + (lines.back().empty() ? 0 : 1) + columnsOf(word);
        if (needed > width && !lines.back().empty()) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

std::string unbroken(std::string_view text)
{
    constexpr std::string_view noBreak = "\u00a0";
    std::string whole;
    for (bool first = true; !text.empty(); first = false) {
        if (!first) whole += ' ';
        for (const char letter : takeUnbreakable(text)) letter == ' ' ? whole += noBreak : whole += letter;
    }
    return whole;
}

std::vector<std::string> table(const std::vector<std::vector<std::string>>& rows, int indent)
{
    std::vector<int> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i == widths.size()) widths.push_back(0);
            widths[i] = std::max(widths[i], columnsOf(row[i]));
        }
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string line = spaces(indent);
        for (std::size_t i = 0; i < row.size(); ++i) line += (i == 0 ? "" : "  ") + paddedLeft(row[i], widths[i]);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace flowgauge::report
