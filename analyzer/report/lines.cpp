// SPDX-License-Identifier: MIT
#include "analyzer/report/lines.h"

#include <algorithm>

namespace flowgauge::report {
namespace {

bool startsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

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
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const int needed = columnsOf(lines.back()) + (lines.back().empty() ? 0 : 1) + columnsOf(word);
        if (needed > width && !lines.back().empty()) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
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
