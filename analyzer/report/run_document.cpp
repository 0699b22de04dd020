// SPDX-License-Identifier: MIT
#include "analyzer/report/run_document.h"

#include "analyzer/facts/questions.h"
#include "analyzer/report/byte_section.h"
#include "analyzer/report/connection_rows.h"
#include "analyzer/report/method_section.h"
#include "analyzer/report/port_rows.h"
#include "analyzer/report/queue_pair_rows.h"
#include "analyzer/report/run_charts.h"
#include "analyzer/report/storage_tables.h"
#include "analyzer/report/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace flowgauge::report {
namespace {

using findings::Part;
namespace questions = facts::questions;

std::string subtitleOf(const findings::RunSummary& summary)
{
    std::string text = summary.program.empty() ? "" : summary.program + ", ";
    text += summary.ranks > 0 ? plural(summary.ranks, "rank", "ranks") : plural(summary.processes, "process", "processes");
    text += " on " + plural(summary.hosts, "host", "hosts");
    if (!summary.epochs.empty()) text += ", " + plural(static_cast<std::int64_t>(summary.epochs.size()), "epoch", "epochs");
    return text + (summary.wall > 0 ? ", " + duration(summary.wall) : ", no time recorded");
}

/// The tile of the usual rate: the median epoch's.
Tile rateTile(const findings::RunSummary& summary)
{
    std::vector<double> rates;
    for (const findings::EpochRow& row : summary.epochs)
        if (row.samplesPerSecond.known()) rates.push_back(row.samplesPerSecond.value());
    if (rates.empty()) return {"throughput", "not measured", "no sample counts", "epochs"};
    std::sort(rates.begin(), rates.end());
    return {"throughput", perSecond(rates[rates.size() / 2]) + " /s", "samples, median epoch", "epochs"};
}

Tile cacheTile(const findings::RunSummary& summary)
{
    std::int64_t asked = 0;
    std::int64_t fetched = 0;
    for (const findings::EpochRow& row : summary.epochs) {
        if (!row.asked.known() || !row.fetched.known()) continue;
        asked += row.asked.value();
        fetched += row.fetched.value();
    }
    if (asked == 0) return {"from cache", "not measured", "no bytes counted", "epochs"};
    const double hit = 1 - std::min(1.0, static_cast<double>(fetched) / static_cast<double>(asked));
    return {"from the page cache", share(hit), "of " + bytes(static_cast<double>(asked)) + " asked for", "epochs"};
}

Tiles tilesOf(const Report& report)
{
    const findings::RunSummary& summary = report.summary;
    Tiles tiles;
    tiles.tiles.push_back(
        {summary.breakdown.what == "step" ? "median step" : "length of the run", duration(summary.breakdown.length), "", "time"});
    tiles.tiles.push_back(rateTile(summary));
    if (report.findings.empty())
        tiles.tiles.push_back({"largest gain", "none", "nothing above " + share(findings::worthTelling), ""});
    else
        tiles.tiles.push_back({"largest gain", estimate(report.findings.front().gain), report.findings.front().title, "finding-1"});
    tiles.tiles.push_back(cacheTile(summary));
    for (Tile& tile : tiles.tiles)
        if (tile.link == "epochs" && summary.epochs.empty()) tile.link.clear();
    return tiles;
}

PartsBar barOf(const findings::Breakdown& breakdown)
{
    PartsBar bar{breakdown.what, duration(breakdown.length), questions::parts, {}, breakdown.remarks};
    for (const findings::PartShare& part : breakdown.parts) {
        if (part.share <= 0) continue;
        const bool differ = part.highest - part.lowest >= 0.02;
        bar.parts.push_back({paintOf(part.part), std::string(findings::partNames[static_cast<std::size_t>(part.part)]),
                             differ ? shareRange(part.lowest, part.highest) : share(part.share), part.share});
    }
    return bar;
}

Card cardOf(const findings::Finding& finding, std::size_t number)
{
    Card card;
    card.id = fmt::format("finding-{}", number + 1);
    card.title = fmt::format("{}. {}", number + 1, finding.title);
    card.amount = share(finding.share()) + " of " + finding.outOfWhat;
    card.where = ranks(finding.ranks) + (finding.where.empty() || finding.ranks.empty() ? "" : ", ") + finding.where;
    card.gain = estimate(finding.gain);
    card.worthFixing = finding.heads || finding.gain.value >= findings::worthFixing;
    card.verdict = sentence(finding.verdict);
    for (const findings::Sentence& detail : finding.details) card.details.push_back(sentence(detail));
    card.advice = finding.advice;
    card.toBeSure = finding.toBeSure;
    for (std::size_t i = 0; i < finding.evidence.size(); ++i) {
        const findings::Evidence& evidence = finding.evidence[i];
        card.evidence.push_back({evidenceId(number, i), fmt::format("rank {} at {}: {}", evidence.rank, when(evidence.when), evidence.what),
                                 questions::moment(evidence.rank, evidence.when)});
    }
    return card;
}

Table portTable(const findings::Network& network, std::size_t shown)
{
    Table ports{"ports", "What did each port carry?", portRows(network, shown), {}, questions::ports, false};
    for (std::size_t i = 0; i < std::min(shown, network.checks.size()); ++i) ports.notes.push_back(sentence(network.checks[i]));
    if (!network.attributed)
        ports.notes.emplace_back(
            "Nothing is attributed: no collective and no TCP connection of the job leaves its host, and no mount of NFS or of a parallel "
            "file "
            "system was sampled.");
    if (const std::string note = linkNote(network); !note.empty()) ports.notes.push_back(note);
    return ports;
}

/// What went through the hosts' ports, and what for.
Section networkSection(const findings::Network& network)
{
    constexpr std::size_t shown = 16;
    Section section{"wires", "Network", {}};
    if (!network.ports.empty()) section.blocks.push_back(portTable(network, shown));
    if (const auto links = gpuLinkRows(network, shown); !links.empty())
        section.blocks.push_back(Table{"gpu-links", "What did the GPUs' own links carry?", links, {}, questions::gpuLinks, false});
    if (const auto connections = connectionRows(network.connections, shown); !connections.empty())
        section.blocks.push_back(
            Table{"connections", "What did the job's own TCP connections carry?", connections, {}, questions::connections, false});
    if (const auto counts = queuePairRows(network.queuePairs, 4 * shown); !counts.empty())
        section.blocks.push_back(Table{"queue-pairs",
                                       "What did the job's queue pairs count?",
                                       counts,
                                       {"Queue pairs without a counter of their own are in the port's number alone."},
                                       questions::queuePairs,
                                       false});
    const auto epochs = portEpochRows(network);
    if (network.attributed && !epochs.empty())
        section.blocks.push_back(
            Table{"port-epochs", "The same by epoch, all ports of a host", epochs, {}, questions::ports, epochs.size() > 13});
    return section;
}

/// Where the epochs' bytes came from, and what storage systems said of themselves.
Section storageSection(const findings::Storage& storage)
{
    Section section{"storage", "Storage", {}};
    for (const findings::Sentence& told : storage.told) section.blocks.push_back(Paragraph{sentence(told)});
    if (!storage.servers.empty())
        section.blocks.push_back(
            Table{"servers", "What did the storage system say of itself?", serverRows(storage.servers), {}, questions::servers, false});
    return section;
}

Section watchedSection(const char* id, const char* title, const std::vector<findings::WatchedRow>& rows)
{
    constexpr std::size_t shown = 400;
    return {id, title, {Table{"counters", "How did each counter move?", watchedTable(rows, shown), {}, questions::watched, false}}};
}

}  // namespace

Document documentOf(const Report& report, const RunCharts& charts)
{
    const findings::RunSummary& summary = report.summary;
    Document document{summary.name,
                      subtitleOf(summary),
                      "recorded " + day(summary.recordedUnixNs),
                      summary.simulated,
                      sentence(report.verdict),
                      report.healthy,
                      {}};
    Section time{"time", "Where the time went", {tilesOf(report)}};
    for (const std::string& remark : summary.remarks) time.blocks.insert(time.blocks.begin(), Paragraph{"Note: " + remark + "."});
    if (!summary.breakdown.parts.empty()) time.blocks.push_back(barOf(summary.breakdown));
    for (const findings::Sentence& said : summary.said) time.blocks.push_back(Paragraph{sentence(said)});
    document.sections.push_back(std::move(time));
    Section found{"findings", "Findings", {}};
    for (std::size_t i = 0; i < report.findings.size(); ++i) found.blocks.push_back(cardOf(report.findings[i], i));
    if (report.findings.empty())
        found.blocks.push_back(Paragraph{"None: no single cause costs more than " + share(findings::worthTelling) + "."});
    if (report.findings.size() > 1) found.blocks.push_back(Paragraph{"Each gain stands for fixing that one thing; gains do not add up."});
    document.sections.push_back(std::move(found));
    Section over{"charts", "Over time", {}};
    for (Chart& chart : chartsOf(report, charts)) over.blocks.push_back(std::move(chart));
    document.sections.push_back(std::move(over));
    if (Section epochs = byteSection(summary); !epochs.blocks.empty()) document.sections.push_back(std::move(epochs));
    if (!summary.storage.told.empty() || !summary.storage.servers.empty()) document.sections.push_back(storageSection(summary.storage));
    if (!summary.watched.empty()) document.sections.push_back(watchedSection("watched", "What was watched", summary.watched));
    if (!summary.fabric.empty())
        document.sections.push_back(watchedSection("fabric", "What the fabric's manager said of its ports", summary.fabric));
    const findings::Network& network = summary.network;
    if (!network.ports.empty() || !network.gpuLinks.empty() || !network.connections.empty() || !network.queuePairs.empty())
        document.sections.push_back(networkSection(network));
    document.sections.push_back(methodSection(summary));
    return document;
}

}  // namespace flowgauge::report
