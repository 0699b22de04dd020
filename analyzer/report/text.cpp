// SPDX-License-Identifier: MIT
#include "analyzer/report/lines.h"
#include "analyzer/report/report.h"
#include "analyzer/report/units.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::report {
namespace {

using findings::Part;

/// How a part looks in the terminal: its fill, and the nearest of the 256 colours to the one of shared/look (safe for
/// colour-blind readers, and never the only sign).
struct Look {
    std::string_view fill;
    int colour;
};
constexpr std::array<Look, findings::partCount> looks{{{"█", 25}, {"▒", 166}, {"▚", 175}, {"░", 214}, {"·", 246}}};

/// Writes lines of one report.
class Page {
public:
    explicit Page(TextStyle style) : m_style(style) {}

    void line(std::string_view text) { (m_text += text) += '\n'; }
    void gap() { m_text += '\n'; }
    /// `head`, then the words wrapped beside it.
    void hanging(std::string_view head, std::string_view words)
    {
        const int indent = columnsOf(head);
        bool first = true;
        for (const std::string& part : wrapped(words, m_style.width - indent)) {
            line((first ? std::string(head) : padded("", indent)) + part);
            first = false;
        }
    }
    [[nodiscard]] std::string bold(std::string_view text) const
    {
        return m_style.colour ? "\033[1m" + std::string(text) + "\033[0m" : std::string(text);
    }
    [[nodiscard]] std::string coloured(std::string_view text, int colour) const
    {
        return m_style.colour ? "\033[38;5;" + std::to_string(colour) + "m" + std::string(text) + "\033[0m" : std::string(text);
    }
    [[nodiscard]] int width() const { return m_style.width; }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    TextStyle m_style;
    std::string m_text;
};

std::string plural(std::int64_t number, const std::string& noun) { return count(number) + " " + noun + (number == 1 ? "" : "s"); }

void header(const findings::RunSummary& summary, Page& page)
{
    std::string what = summary.program.empty() ? "" : summary.program + ", ";
    what += summary.ranks > 0 ? plural(summary.ranks, "rank") : plural(summary.processes, "process");
    what += " on " + plural(summary.hosts, "host");
    if (!summary.epochs.empty()) what += ", " + plural(static_cast<std::int64_t>(summary.epochs.size()), "epoch");
    what += ", " + duration(summary.wall);
    const std::string recorded = "recorded " + day(summary.recordedUnixNs);
    const std::string left = cut(summary.name + "   " + what, page.width() - columnsOf(recorded) - 1);
    page.line(padded(left, page.width() - columnsOf(recorded)) + recorded);
    for (const std::string& remark : summary.remarks) page.hanging("NOTE     ", remark);
}

void verdict(const Report& report, Page& page)
{
    const auto lines = wrapped(sentence(report.verdict), page.width() - 9);
    for (std::size_t i = 0; i < lines.size(); ++i) page.line((i == 0 ? page.bold("VERDICT") + "  " : padded("", 9)) + lines[i]);
}

/// Cells of each part so that they add up to `cells`: whole ones first, the rest to the largest remainders.
std::vector<int> cellsOf(const std::vector<findings::PartShare>& parts, int cells)
{
    std::vector<int> result;
    std::vector<std::pair<double, std::size_t>> remainders;
    int used = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double exact = parts[i].share * cells;
        result.push_back(static_cast<int>(exact));
        used += result.back();
        remainders.emplace_back(exact - std::floor(exact), i);
    }
    std::sort(remainders.begin(), remainders.end(), [](const auto& left, const auto& right) { return left.first > right.first; });
    for (std::size_t i = 0; i < remainders.size() && used < cells; ++i, ++used) ++result[remainders[i].second];
    return result;
}

void breakdown(const findings::Breakdown& breakdown, Page& page)
{
    if (breakdown.parts.empty()) return;
    constexpr int barCells = 72;
    const std::vector<int> cells = cellsOf(breakdown.parts, barCells);
    std::string bar;
    std::string legend;
    for (std::size_t i = 0; i < breakdown.parts.size(); ++i) {
        const findings::PartShare& part = breakdown.parts[i];
        const Look& look = looks[static_cast<std::size_t>(part.part)];
        std::string fill;
        for (int cell = 0; cell < cells[i]; ++cell) fill += look.fill;
        if (!fill.empty()) bar += page.coloured(fill, look.colour);
        if (part.share <= 0) continue;
        const bool differ = part.highest - part.lowest >= 0.02;  // ranks that read the same need no range
        legend += (legend.empty() ? "" : "   ") + std::string(findings::partNames[static_cast<std::size_t>(part.part)]) + " " +
                  (differ ? shareRange(part.lowest, part.highest) : share(part.share));
    }
    page.gap();
    page.line(padded(breakdown.what + " " + duration(breakdown.length), 11) + "  " + bar);
    page.hanging("             ", legend);
    for (const std::string& remark : breakdown.remarks) page.hanging("             ", remark);
}

std::string cell(const auto& value, const auto& format) { return value.known() ? format(value.value()) : "–"; }

void epochs(const std::vector<findings::EpochRow>& epochs, Page& page)
{
    if (epochs.empty()) return;
    std::vector<std::vector<std::string>> rows{{"epoch", "time", "samples/s", "asked", "fetched", "from cache", "shuffle gap", "found by"}};
    const auto asBytes = [](std::int64_t value) { return bytes(static_cast<double>(value)); };
    constexpr std::size_t shown = 12;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (epochs.size() > shown && i == shown - 2) {
            rows.push_back({"…", count(static_cast<std::int64_t>(epochs.size() - shown + 1)) + " more"});
            i = epochs.size() - 1;
        }
        const findings::EpochRow& row = epochs[i];
        rows.push_back({std::to_string(row.number), duration(row.time), cell(row.samplesPerSecond, perSecond), cell(row.asked, asBytes),
                        cell(row.fetched, asBytes), cell(row.fromCache, share), cell(row.shuffleGap, duration), row.foundBy});
    }
    page.gap();
    for (const std::string& line : table(rows, 0)) page.line(line);
    for (const findings::EpochRow& row : epochs) {
        if (row.asked.known() && row.fetched.known()) continue;
        const Measured<std::int64_t>& value = row.asked.known() ? row.fetched : row.asked;
        page.hanging("       ", std::string(row.asked.known() ? "fetched" : "asked") + " not measured (" + value.reason() + ")");
        break;
    }
}

void finding(std::size_t number, const findings::Finding& finding, Page& page)
{
    const std::string head =
        paddedLeft(std::to_string(number), 2) + "  " + padded(finding.title, 24) + "  " +
        padded(share(finding.share()) + " of " + finding.outOfWhat, 21) + "  " +
        padded(cut(ranks(finding.ranks) + (finding.where.empty() || finding.ranks.empty() ? "" : ", ") + finding.where, 27), 27);
    page.line(page.bold(head) + "  gain " + estimate(finding.gain));
    page.hanging("    ", sentence(finding.verdict));
    for (const findings::Sentence& detail : finding.details) page.hanging("    ", sentence(detail));
    if (!finding.evidence.empty()) {
        const findings::Evidence& evidence = finding.evidence.front();
        page.hanging("    ", "See rank " + std::to_string(evidence.rank) + " at " + when(evidence.when) + ": " + evidence.what + ".");
    }
    if (!finding.advice.empty()) page.hanging("    ", "→ " + finding.advice);
    if (!finding.toBeSure.empty()) page.hanging("    ", "To be sure: " + finding.toBeSure);
}

void findingList(const Report& report, Page& page)
{
    if (report.findings.empty()) return;
    page.gap();
    page.line(page.bold("FINDINGS"));
    for (std::size_t i = 0; i < report.findings.size(); ++i) finding(i + 1, report.findings[i], page);
    if (report.findings.size() > 1) page.line("    Each gain stands for fixing that one thing; gains do not add up.");
}

void footer(const findings::RunSummary& summary, Page& page)
{
    page.gap();
    if (!summary.notMeasured.empty()) {
        std::string text;
        for (const findings::NotMeasured& absence : summary.notMeasured) {
            std::string item = absence.what + (absence.why.empty() ? "" : " (" + absence.why + ")");
            text += (text.empty() ? "" : ", ") + item;
        }
        page.hanging("NOT MEASURED   ", text);
    }
    const findings::Cost& cost = summary.cost;
    page.hanging("OUR COST       ",
                 (cost.cpuShare.known() ? share(cost.cpuShare.value()) + " of CPU" : "CPU not measured (" + cost.cpuShare.reason() + ")") +
                     ", " + bytes(static_cast<double>(cost.bytesWritten)) + " written, " + count(cost.lost) + " of " +
                     count(cost.events + cost.lost) + " events lost");
}

}  // namespace

std::string textOf(const Report& report, TextStyle style)
{
    Page page(style);
    header(report.summary, page);
    verdict(report, page);
    breakdown(report.summary.breakdown, page);
    epochs(report.summary.epochs, page);
    findingList(report, page);
    footer(report.summary, page);
    return page.take();
}

}  // namespace flowgauge::report
