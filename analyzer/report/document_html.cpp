// SPDX-License-Identifier: MIT
#include "analyzer/report/document.h"
#include "analyzer/report/html_style.h"
#include "analyzer/report/lines.h"
#include "analyzer/report/svg.h"

#include <fmt/format.h>

namespace flowgauge::report {
namespace {

std::string swatch(Paint paint) { return fmt::format("<span class=\"swatch bg-{}\"></span>", className(paint)); }

/// Words as the page shows them: it breaks its lines itself, but not within a quantity.
std::string shown(const std::string& words) { return escaped(unbroken(words)); }

std::string sqlOf(const std::string& sql)
{
    return sql.empty() ? "" : fmt::format("<details class=\"sql\"><summary>SQL</summary><code>{}</code></details>", escaped(sql));
}

std::string idOf(const std::string& id) { return id.empty() ? "" : fmt::format(" id=\"{}\"", id); }

/// Writes one block after the other.
struct BlockWriter {
    std::string& html;

    void operator()(const Paragraph& paragraph) const { html += fmt::format("<p>{}</p>\n", shown(paragraph.text)); }

    void operator()(const Terms& terms) const
    {
        html += "<dl class=\"terms\">";
        for (const auto& [term, words] : terms.items) html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", shown(term), shown(words));
        html += "</dl>\n";
    }

    void operator()(const Tiles& tiles) const
    {
        html += "<div class=\"tiles\">";
        for (const Tile& tile : tiles.tiles) {
            const std::string value =
                tile.link.empty() ? shown(tile.value) : fmt::format("<a href=\"#{}\">{}</a>", tile.link, shown(tile.value));
            html += fmt::format("<div class=\"tile\"><span>{}</span><b>{}</b><span>{}</span></div>\n", shown(tile.label), value,
                                shown(tile.note));
        }
        html += "</div>\n";
    }

    void operator()(const PartsBar& bar) const
    {
        html +=
            fmt::format("<p class=\"facts\">{} {}</p><div class=\"whole\" role=\"img\" aria-label=\"", shown(bar.what), shown(bar.length));
        for (const BarPart& part : bar.parts) html += escaped(part.name + " " + part.text + ", ");
        html += "\">";
        for (const BarPart& part : bar.parts)
            html += fmt::format("<i class=\"bg-{}\" style=\"width:{:.3f}%\" title=\"{}\"></i>", className(part.paint), part.share * 100,
                                escaped(part.name + " " + part.text));
        html += "</div><ul class=\"legend\">";
        for (const BarPart& part : bar.parts)
            html += fmt::format("<li>{}{} <b>{}</b></li>", swatch(part.paint), escaped(part.name), shown(part.text));
        html += "</ul>\n";
        for (const std::string& remark : bar.remarks) html += fmt::format("<p class=\"note\">{}</p>\n", shown(remark));
        html += sqlOf(bar.sql);
    }

    void operator()(const Table& table) const
    {
        if (table.rows.empty()) return;
        const std::string head = "<h3>" + escaped(table.title) + "</h3>";
        html += fmt::format("<div class=\"tables\"{}>", idOf(table.id));
        if (table.folded) html += "<details><summary>" + head + "</summary>";
        if (!table.folded && !table.title.empty()) html += head;
        html +=
            fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>", escaped(table.title));
        for (const std::string& cell : table.rows.front()) html += fmt::format("<th scope=\"col\">{}</th>", shown(cell));
        html += "</tr></thead><tbody>\n";
        for (std::size_t i = 1; i < table.rows.size(); ++i) {
            html += "<tr>";
            for (const std::string& cell : table.rows[i]) html += fmt::format("<td>{}</td>", shown(cell));
            html += "</tr>\n";
        }
        html += "</tbody></table></div>\n";
        for (const std::string& note : table.notes) html += fmt::format("<p class=\"note\">{}</p>\n", shown(note));
        html += sqlOf(table.sql) + (table.folded ? "</details>" : "") + "</div>\n";
    }

    void operator()(const Chart& chart) const
    {
        html += fmt::format("<figure{}><figcaption>{}</figcaption>", idOf(chart.id), escaped(chart.question));
        const std::string drawing = svgOf(chart);
        if (drawing.empty()) {
            html += fmt::format("<p class=\"note\">{}</p></figure>\n", shown(chart.empty));
            return;
        }
        html += "<ul class=\"legend\">";
        for (const Series& series : chart.series)
            if (!series.values.empty()) html += fmt::format("<li>{}{}</li>", swatch(series.paint), escaped(series.name));
        html += "</ul>" + drawing + sqlOf(chart.sql) + "</figure>\n";
    }

    void operator()(const Card& card) const
    {
        html += fmt::format(
            "<article class=\"card{}\"{}><span class=\"gain\">gain {}</span><h3>{}</h3><p class=\"facts\">{}{}{}</p><p>{}</p>\n",
            card.worthFixing ? " worth" : "", idOf(card.id), shown(card.gain), shown(card.title), shown(card.amount),
            card.where.empty() ? "" : " · ", shown(card.where), shown(card.verdict));
        for (const std::string& detail : card.details) html += fmt::format("<p>{}</p>\n", shown(detail));
        if (!card.advice.empty()) html += fmt::format("<p class=\"advice\">{}</p>\n", shown(card.advice));
        if (!card.toBeSure.empty()) html += fmt::format("<p class=\"note\">To be sure: {}</p>\n", shown(card.toBeSure));
        if (!card.evidence.empty()) html += "<ul class=\"evidence-list\">";
        for (const Place& place : card.evidence)
            html += fmt::format("<li{}><a href=\"#{}\">{}</a>{}</li>\n", idOf(place.id), place.id, shown(place.text), sqlOf(place.sql));
        html += (card.evidence.empty() ? "" : "</ul>") + std::string("</article>\n");
    }
};

/// A band shows in every chart while its evidence is the page's target: style alone, no script.
std::string evidenceStyle(const Document& document)
{
    std::string style;
    for (const Section& section : document.sections)
        for (const Block& block : section.blocks) {
            const Card* card = std::get_if<Card>(&block);
            if (card == nullptr) continue;
            for (const Place& place : card->evidence)
                style += fmt::format("body:has(#{0}:target) .{0}{{fill-opacity:.35}}#{0}:target{{background:var(--panel)}}", place.id);
        }
    return style;
}

}  // namespace

std::string htmlOf(const Document& document)
{
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta name=\"generator\" content=\"flowgauge\">\n<link rel=\"icon\" "
        "href=\"data:,\">\n<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
        escaped(document.title), htmlStyle, evidenceStyle(document));
    html += fmt::format("<header><h1>{}</h1><p class=\"subtitle\">{}{}{}</p>\n", escaped(document.title), shown(document.subtitle),
                        document.date.empty() ? "" : " · ", escaped(document.date));
    if (!document.warning.empty()) html += fmt::format("<p class=\"warning\" role=\"note\">{}</p>\n", shown(document.warning));
    html += fmt::format("<p class=\"lead{}\">{}</p></header>\n<nav aria-label=\"Sections\">", document.healthy ? " healthy" : "",
                        shown(document.lead));
    for (const Section& section : document.sections)
        if (!section.title.empty()) html += fmt::format("<a href=\"#{}\">{}</a>", section.id, escaped(section.title));
    html += "</nav>\n<main>\n";
    for (const Section& section : document.sections) {
        html += fmt::format("<section{}>", idOf(section.id));
        if (!section.title.empty()) html += fmt::format("<h2>{}</h2>\n", escaped(section.title));
        for (const Block& block : section.blocks) std::visit(BlockWriter{html}, block);
        html += "</section>\n";
    }
    return html +
           "</main>\n<footer>Made by flowgauge. Everything on this page is inside this file; the SQL asks the run's run.db (flowgauge "
           "query RUN \"…\").</footer>\n</body>\n</html>\n";
}

}  // namespace flowgauge::report
