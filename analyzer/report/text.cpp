// SPDX-License-Identifier: MIT
#include "analyzer/report/clock_text.h"
#include "analyzer/report/collective_rows.h"
#include "analyzer/report/connection_rows.h"
#include "analyzer/report/epoch_lines.h"
#include "analyzer/report/lines.h"
#include "analyzer/report/page.h"
#include "analyzer/report/port_rows.h"
#include "analyzer/report/queue_pair_rows.h"
#include "analyzer/report/report.h"
#include "analyzer/report/storage_tables.h"
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

void header(const findings::RunSummary& summary, Page& page)
{
    std::string what = summary.program.empty() ? "" : summary.program + ", ";
    const bool fromLog = summary.hosts == 0 && !summary.said.empty();
    what += fromLog             ? "nothing recorded"
            : summary.ranks > 0 ? plural(summary.ranks, "rank", "ranks")
                                : plural(summary.processes, "process", "processes");
    if (!fromLog) what += " on " + plural(summary.hosts, "host", "hosts");
    if (!summary.epochs.empty()) what += ", " + plural(static_cast<std::int64_t>(summary.epochs.size()), "epoch", "epochs");
    what += summary.wall > 0 ? ", " + duration(summary.wall) : ", no time recorded";
    const std::string recorded = "recorded " + day(summary.recordedUnixNs);
    const std::string left = cut(summary.name + "   " + what, page.width() - columnsOf(recorded) - 1);
    page.line(padded(left, page.width() - columnsOf(recorded)) + recorded);
    if (!summary.simulated.empty()) page.hanging("SIMULATION  ", summary.simulated);
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

void collectives(const findings::RunSummary& summary, Page& page)
{
    constexpr std::size_t shown = 5;
    if (summary.collectives.empty()) return;
    page.gap();
    for (const std::string& line : table(collectiveRows(summary.collectives, shown), 0)) page.line(line);
    if (const std::string note = bandwidthNote(summary.collectives); !note.empty()) page.hanging("       ", note);
}

/// Ports that nothing can be said of are left to the longer forms.
void network(const findings::Network& network, Page& page)
{
    constexpr std::size_t shown = 4;
    if (const auto links = gpuLinkRows(network, 2 * shown); !links.empty()) {
        page.gap();
        for (const std::string& line : table(links, 0)) page.line(line);
    }
    if (const auto rows = connectionRows(worthALine(network.connections), shown); !rows.empty()) {
        page.gap();
        for (const std::string& line : table(rows, 0)) page.line(line);
    }
    if (const auto rows = queuePairRows(network.queuePairs, 2 * shown); !rows.empty()) {
        page.gap();
        for (const std::string& line : table(rows, 0)) page.line(line);
    }
    if (!network.attributed || network.ports.empty()) return;
    page.gap();
    for (const std::string& line : table(portRows(network, shown), 0)) page.line(line);
    for (std::size_t i = 0; i < std::min(shown, network.checks.size()); ++i) page.hanging("       ", sentence(network.checks[i]));
    if (const std::string note = linkNote(network); !note.empty()) page.hanging("       ", note);
}

void storage(const findings::Storage& storage, Page& page)
{
    if (storage.told.empty() && storage.servers.empty()) return;
    page.gap();
    for (std::size_t i = 0; i < storage.told.size(); ++i)
        page.hanging(i == 0 ? "STORAGE        " : "               ", sentence(storage.told[i]));
    for (const std::string& line : table(serverRows(storage.servers), 0)) page.line(line);
}

void watched(const std::vector<findings::WatchedRow>& rows, Page& page)
{
    constexpr std::size_t shown = 60;
    if (rows.empty()) return;
    page.gap();
    for (const std::string& line : table(watchedTable(rows, shown), 0)) page.line(line);
}

/// What the job printed of itself, in one paragraph.
void said(const findings::RunSummary& summary, Page& page)
{
    std::string text;
    for (const findings::Sentence& part : summary.said) text += (text.empty() ? "" : " ") + sentence(part);
    if (text.empty()) return;
    page.gap();
    page.hanging("ITS LOG SAYS   ", text);
}

/// `told`: its sentence stands above already, as the verdict.
void finding(std::size_t number, const findings::Finding& finding, bool told, Page& page)
{
    const std::string head =
        paddedLeft(std::to_string(number), 2) + "  " + padded(finding.title, 22) + "  " +
        padded(share(finding.share()) + " of " + finding.outOfWhat, 18) + "  " +
        padded(cut(ranks(finding.ranks) + (finding.where.empty() || finding.ranks.empty() ? "" : ", ") + finding.where, 27), 27);
    page.line(page.bold(head) + "  gain " + estimate(finding.gain));
    if (!told) page.hanging("    ", sentence(finding.verdict));
    for (const findings::Sentence& detail : finding.details) page.hanging("    ", sentence(detail));
    if (!finding.evidence.empty()) {
        const findings::Evidence& evidence = finding.evidence.front();
        page.hanging("    ", "See rank " + std::to_string(evidence.rank) + " at " + when(evidence.when) + ": " + evidence.what + ".");
    }
    if (!finding.advice.empty()) page.hanging("    → ", finding.advice);
    if (!finding.toBeSure.empty()) page.hanging("    ", "To be sure: " + finding.toBeSure);
}

void findingList(const Report& report, Page& page)
{
    if (report.findings.empty()) return;
    page.gap();
    page.line(page.bold("FINDINGS"));
    for (std::size_t i = 0; i < report.findings.size(); ++i)
        finding(i + 1, report.findings[i], report.findings[i].verdict == report.verdict, page);
    if (report.findings.size() > 1) page.line("    Each gain stands for fixing that one thing; gains do not add up.");
}

/// "what (why), what (why)"; of very many the first, and how many more there are.
std::string listOf(const std::vector<findings::NotMeasured>& rows)
{
    constexpr std::size_t shown = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, rows.size()); ++i)
        text += (i == 0 ? "" : ", ") + rows[i].what + (rows[i].why.empty() ? "" : " (" + rows[i].why + ")");
    return text + (rows.size() > shown ? ", and " + std::to_string(rows.size() - shown) + " more" : "");
}

void footer(const findings::RunSummary& summary, Page& page)
{
    page.gap();
    if (!summary.notMeasured.empty()) page.hanging("NOT MEASURED   ", listOf(summary.notMeasured));
    if (!summary.degraded.empty()) page.hanging("DEGRADED       ", listOf(summary.degraded));
    const findings::Cost& cost = summary.cost;
    if (const std::string clocks = clockText(summary.clocks); !clocks.empty()) page.hanging("CLOCKS         ", clocks);
    page.hanging("OUR COST       ",
                 (cost.cpuShare.known() ? share(cost.cpuShare.value()) + " of CPU" : "CPU not measured (" + cost.cpuShare.reason() + ")") +
                     ", " + asBytes(cost.bytesWritten) + " written, " + count(cost.lost) + " of " + count(cost.events + cost.lost) +
                     " events lost");
}

}  // namespace

std::string textOf(const Report& report, TextStyle style)
{
    Page page(style);
    header(report.summary, page);
    verdict(report, page);
    breakdown(report.summary.breakdown, page);
    epochs(report.summary, page);
    collectives(report.summary, page);
    storage(report.summary.storage, page);
    network(report.summary.network, page);
    watched(report.summary.fabric, page);
    watched(report.summary.watched, page);
    said(report.summary, page);
    findingList(report, page);
    footer(report.summary, page);
    return page.take();
}

}  // namespace flowgauge::report
