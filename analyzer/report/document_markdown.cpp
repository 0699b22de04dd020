// SPDX-License-Identifier: MIT
#include "analyzer/report/document.h"
#include "analyzer/report/units.h"

#include <algorithm>

namespace flowgauge::report {
namespace {

/// What Markdown or a table would take for its own.
std::string plain(const std::string& text)
{
    std::string result;
    for (const char letter : text) {
        if (letter == '\n') {
            result += ' ';
            continue;
        }
        if (std::string_view("|*_`<>#\\").find(letter) != std::string_view::npos) result += '\\';
        result += letter;
    }
    return result;
}

std::string row(const std::vector<std::string>& cells, std::size_t columns)
{
    std::string text = "|";
    for (std::size_t i = 0; i < columns; ++i) text += " " + (i < cells.size() ? plain(cells[i]) : "") + " |";
    return text + "\n";
}

std::string tableText(const std::vector<std::vector<std::string>>& rows)
{
    if (rows.empty()) return "";
    std::size_t columns = 0;
    for (const auto& cells : rows) columns = std::max(columns, cells.size());
    std::string text = row(rows.front(), columns) + "|";
    for (std::size_t i = 0; i < columns; ++i) text += i == 0 ? "---|" : "---:|";
    text += "\n";
    for (std::size_t i = 1; i < rows.size(); ++i) text += row(rows[i], columns);
    return text;
}

std::string sqlText(const std::string& sql) { return sql.empty() ? "" : "\n```sql\n" + sql + "\n```\n"; }

struct MarkdownWriter {
    std::string& text;

    void operator()(const Paragraph& paragraph) const { text += plain(paragraph.text) + "\n"; }
    void operator()(const Terms& terms) const
    {
        for (const auto& [term, words] : terms.items) text += "- **" + plain(term) + "**: " + plain(words) + "\n";
    }
    void operator()(const Tiles& tiles) const
    {
        for (const Tile& tile : tiles.tiles)
            text += "- " + plain(tile.label) + ": **" + plain(tile.value) + "**" +
                    (tile.note.empty() ? "" : " (" + plain(tile.note) + ")") + "\n";
    }
    void operator()(const PartsBar& bar) const
    {
        std::vector<std::vector<std::string>> rows{{bar.what + " " + bar.length, "share"}};
        for (const BarPart& part : bar.parts) rows.push_back({part.name, part.text});
        text += tableText(rows);
        for (const std::string& remark : bar.remarks) text += "\n" + plain(remark) + "\n";
    }
    void operator()(const Table& table) const
    {
        if (!table.title.empty()) text += "**" + plain(table.title) + "**\n\n";
        text += tableText(table.rows);
        for (const std::string& note : table.notes) text += "\n" + plain(note) + "\n";
    }
    void operator()(const Chart& chart) const
    {
        text += "**" + plain(chart.question) + "**\n\n";
        if (!chart.categories.empty()) {
            std::vector<std::vector<std::string>> rows{{""}};
            rows.front().insert(rows.front().end(), chart.categories.begin(), chart.categories.end());
            for (const Series& series : chart.series) {
                rows.push_back({series.name});
                for (const double value : series.values) rows.back().push_back(axisLabel(value, chart.quantity));
            }
            text += tableText(rows);
            return;
        }
        std::vector<std::vector<std::string>> rows{{"", "mean", "peak"}};
        for (const Series& series : chart.series) {
            if (series.values.empty()) continue;
            double sum = 0;
            for (const double value : series.values) sum += value;
            rows.push_back({series.name, axisLabel(sum / static_cast<double>(series.values.size()), chart.quantity),
                            axisLabel(*std::max_element(series.values.begin(), series.values.end()), chart.quantity)});
        }
        text += rows.size() > 1 ? tableText(rows) : plain(chart.empty) + "\n";
    }
    void operator()(const Card& card) const
    {
        text +=
            "### " + plain(card.title) + ": " + plain(card.amount) + ", gain " + plain(card.gain) + "\n\n" + plain(card.verdict) + "\n\n";
        if (!card.where.empty()) text += "- Where: " + plain(card.where) + "\n";
        for (const std::string& detail : card.details) text += "- " + plain(detail) + "\n";
        if (!card.advice.empty()) text += "- **What to do:** " + plain(card.advice) + "\n";
        if (!card.toBeSure.empty()) text += "- To be sure: " + plain(card.toBeSure) + "\n";
        for (const Place& place : card.evidence) text += "- Evidence: " + plain(place.text) + "\n";
        if (!card.evidence.empty()) text += sqlText(card.evidence.front().sql);
    }
};

}  // namespace

std::string markdownOf(const Document& document)
{
    std::string text = "# " + plain(document.title) + "\n\n" + plain(document.subtitle) +
                       (document.date.empty() ? "" : ", " + plain(document.date)) + "\n\n";
    if (!document.warning.empty()) text += "> " + plain(document.warning) + "\n\n";
    text += "**" + plain(document.lead) + "**\n";
    for (const Section& section : document.sections) {
        text += "\n" + (section.title.empty() ? "" : "## " + plain(section.title) + "\n\n");
        bool first = true;
        for (const Block& block : section.blocks) {
            if (!first) text += "\n";
            std::visit(MarkdownWriter{text}, block);
            first = false;
        }
    }
    return text;
}

}  // namespace flowgauge::report
