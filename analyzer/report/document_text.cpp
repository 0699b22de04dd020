// SPDX-License-Identifier: MIT
#include "analyzer/report/document.h"
#include "analyzer/report/lines.h"
#include "analyzer/report/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flowgauge::report {
namespace {

double mostOf(const Series& series) { return series.values.empty() ? 0 : *std::max_element(series.values.begin(), series.values.end()); }

/// The values as a row of blocks of eight heights, each the mean of its share of the values; `most` fills a cell.
std::string sparkline(const std::vector<double>& values, double most, std::size_t cells)
{
    constexpr std::array<std::string_view, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    cells = std::min(cells, values.size());
    std::string line;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::size_t begin = cell * values.size() / cells;
        const std::size_t end = std::max(begin + 1, (cell + 1) * values.size() / cells);
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += values[i];
        const double share = most > 0 ? sum / static_cast<double>(end - begin) / most : 0;
        const auto height = static_cast<std::size_t>(std::clamp(std::ceil(share * 8 - 0.02), 0.0, 8.0));
        line += blocks[height];
    }
    return line;
}

/// Two spaces between columns, numbers right aligned, the first column left aligned.
std::vector<std::string> tableLines(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<int> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (widths.size() <= i) widths.push_back(0);
            widths[i] = std::max(widths[i], columnsOf(row[i]));
        }
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += i == 0 ? padded(row[i], widths[i]) : "  " + paddedLeft(row[i], widths[i]);
        lines.push_back(std::move(line));
    }
    return lines;
}

class PlainWriter {
public:
    explicit PlainWriter(int width) : m_width(width) {}

    void line(const std::string& text) { (m_text += text) += '\n'; }
    void hanging(const std::string& head, const std::string& words)
    {
        bool first = true;
        for (const std::string& part : wrapped(words, m_width - columnsOf(head))) {
            line((first ? head : padded("", columnsOf(head))) + part);
            first = false;
        }
    }
    void operator()(const Paragraph& paragraph) { hanging("", paragraph.text); }
    void operator()(const Terms& terms)
    {
        for (const auto& [term, words] : terms.items) hanging(padded(term, 14) + " ", words);
    }
    void operator()(const Tiles& tiles)
    {
        for (const Tile& tile : tiles.tiles) line(padded(tile.label, 24) + tile.value + (tile.note.empty() ? "" : "  (" + tile.note + ")"));
    }
    void operator()(const PartsBar& bar)
    {
        std::string text = bar.what + " " + bar.length + ":";
        for (const BarPart& part : bar.parts) text += "   " + part.name + " " + part.text;
        hanging("", text);
        for (const std::string& remark : bar.remarks) hanging("  ", remark);
    }
    void operator()(const Table& table)
    {
        if (table.rows.size() < 2) return;
        if (!table.title.empty()) line(table.title);
        for (const std::string& row : tableLines(table.rows)) line(row);
        for (const std::string& note : table.notes) hanging("  ", note);
    }
    void operator()(const Chart& chart)
    {
        line(chart.question);
        if (!chart.categories.empty()) return categories(chart);
        double most = 0;
        int names = 0;
        for (const Series& series : chart.series) {
            most = std::max(most, mostOf(series));
            names = std::max(names, columnsOf(series.name));
        }
        for (const Series& series : chart.series) {
            if (series.values.empty()) continue;
            line("  " + padded(series.name, names) + " " + sparkline(series.values, most, 60) + " peak " +
                 axisLabel(mostOf(series), chart.quantity));
        }
        if (most == 0) line("  " + (chart.empty.empty() ? "nothing" : chart.empty));
    }
    void operator()(const Card& card)
    {
        line(card.title + "  " + card.amount + "  " + card.where + "  gain " + card.gain);
        hanging("    ", card.verdict);
        for (const std::string& detail : card.details) hanging("    ", detail);
        if (!card.advice.empty()) hanging("    → ", card.advice);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void categories(const Chart& chart)
    {
        std::vector<std::vector<std::string>> rows{{""}};
        rows.front().insert(rows.front().end(), chart.categories.begin(), chart.categories.end());
        for (const Series& series : chart.series) {
            rows.push_back({"  " + series.name});
            for (const double value : series.values) rows.back().push_back(axisLabel(value, chart.quantity));
        }
        for (const std::string& row : tableLines(rows)) line(row);
    }
    int m_width;
    std::string m_text;
};

std::string upper(std::string text)
{
    for (char& letter : text)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return text;
}

}  // namespace

std::string plainOf(const Document& document, int width)
{
    PlainWriter writer(width);
    const std::string left =
        cut(document.title + (document.subtitle.empty() ? "" : "   " + document.subtitle), width - columnsOf(document.date) - 1);
    writer.line(document.date.empty() ? left : padded(left, width - columnsOf(document.date)) + document.date);
    if (!document.warning.empty()) writer.hanging("SIMULATION  ", document.warning);
    writer.hanging("VERDICT  ", document.lead);
    for (const Section& section : document.sections) {
        writer.line("");
        if (!section.title.empty()) writer.line(upper(section.title));
        bool first = true;
        for (const Block& block : section.blocks) {
            if (!first) writer.line("");
            std::visit(writer, block);
            first = false;
        }
    }
    return writer.take();
}

}  // namespace flowgauge::report
