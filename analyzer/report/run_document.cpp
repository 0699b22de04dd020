// SPDX-License-Identifier: MIT
#include "analyzer/report/run_document.h"

#include "analyzer/facts/questions.h"
#include "analyzer/report/clock_text.h"
#include "analyzer/report/collective_rows.h"
#include "analyzer/report/found_by.h"
#include "analyzer/report/port_rows.h"
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

std::string evidenceId(std::size_t finding, std::size_t place) { return fmt::format("evidence-{}-{}", finding + 1, place + 1); }

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

std::vector<Band> bandsOf(const Report& report, const RunCharts& charts)
{
    std::vector<Band> bands;
    for (const findings::EpochPlace& epoch : charts.epochs) bands.push_back({"", fmt::format("epoch {}", epoch.number), epoch.when, false});
    for (std::size_t i = 0; i < report.findings.size(); ++i)
        for (std::size_t place = 0; place < report.findings[i].evidence.size(); ++place)
            bands.push_back({evidenceId(i, place), report.findings[i].title, report.findings[i].evidence[place].when, true});
    return bands;
}

std::vector<Chart> chartsOf(const Report& report, const RunCharts& charts)
{
    const findings::OverTime& time = charts.overTime;
    const std::vector<Band> bands = bandsOf(report, charts);
    Chart layers{"layers",
                 "Which layer served the bytes, and when did storage stop?",
                 Shape::Lines,
                 Quantity::BytesPerSecond,
                 time.when,
                 {},
                 {{"asked by the program", Paint::Neutral, time.asked, false},
                  {"fetched from storage", Paint::Storage, time.fetched, false},
                  {"read from disks", Paint::Input, time.disks, false}},
                 bands,
                 {},
                 questions::layers,
                 "No reads and no storage counters in this run; data files that are read, NFS mounts and disks fill it."};
    Chart network{"network",
                  "What did the hosts' ports receive and send?",
                  Shape::Lines,
                  Quantity::BytesPerSecond,
                  time.when,
                  {},
                  {{"received", Paint::Compute, time.received, false}, {"sent", Paint::Communication, time.sent, false}},
                  bands,
                  {},
                  questions::ports,
                  "No counters of network interfaces or InfiniBand ports in this run."};
    Chart steps{"steps",
                "Where did the time of a step go, as the run went on?",
                Shape::Stacked,
                Quantity::Duration,
                time.when,
                {},
                {},
                bands,
                {},
                questions::steps,
                "No steps are known; marks (flowgauge.h, import flowgauge) fill it."};
    for (std::size_t part = 0; part < findings::partCount && !time.steps.empty(); ++part) {
        Series series{std::string(findings::partNames[part]), paintOf(static_cast<Part>(part)), {}, false};
        for (const findings::StepParts& slice : time.steps) series.values.push_back(slice[part]);
        if (std::any_of(series.values.begin(), series.values.end(), [](double value) { return value > 0; }))
            steps.series.push_back(std::move(series));
    }
    return {std::move(layers), std::move(network), std::move(steps)};
}

Table epochTable(const findings::RunSummary& summary)
{
    Table table{"epochs",
                "Epochs",
                {{"epoch", "time", "samples/s", "asked", "evaluation", "fetched", "from cache", "gap before", "found by"}},
                {},
                questions::epochs,
                summary.epochs.size() > 12};
    for (const findings::EpochRow& row : summary.epochs)
        table.rows.push_back({std::to_string(row.number), duration(row.time), cell(row.samplesPerSecond, perSecond),
                              cell(row.asked, asBytes), asBytes(row.evaluation), cell(row.fetched, asBytes), cell(row.fromCache, share),
                              cell(row.shuffleGap, duration), foundBy(row)});
    if (!summary.epochs.empty() && !summary.epochs.front().asked.known())
        table.notes.push_back("asked not measured (" + summary.epochs.front().asked.reason() + ")");
    if (!summary.epochs.empty() && !summary.epochs.front().fetched.known())
        table.notes.push_back("fetched not measured (" + summary.epochs.front().fetched.reason() + ")");
    return table;
}

Table elsewhereTable(const findings::RunSummary& summary)
{
    Table table{"elsewhere", "Reads that count for no epoch", {{"place", "calls", "bytes"}}, {}, questions::elsewhere, true};
    for (const findings::ReadsElsewhere& reads : summary.readsElsewhere)
        table.rows.push_back({reads.place, count(reads.calls), asBytes(reads.bytes)});
    return table;
}

Table collectiveTable(const findings::RunSummary& summary)
{
    constexpr std::size_t shown = 24;
    Table table{"collectives", "Collectives: waiting, or moving?", collectiveRows(summary.collectives, shown), {}, questions::collectives,
                false};
    table.notes.push_back(
        "A call waits until its last rank has come, and transfers from then on; bandwidths are of the median transfer, as "
        "nccl-tests counts them.");
    if (const std::string note = bandwidthNote(summary.collectives); !note.empty()) table.notes.push_back(note);
    return table;
}

/// What went through the hosts' ports, and what for.
Section networkSection(const findings::Network& network)
{
    constexpr std::size_t shown = 16;
    Section section{"wires", "Network", {}};
    Table ports{"ports", "What did each port carry?", portRows(network, shown), {}, questions::ports, false};
    for (std::size_t i = 0; i < std::min(shown, network.checks.size()); ++i) ports.notes.push_back(sentence(network.checks[i]));
    if (!network.attributed)
        ports.notes.emplace_back("Nothing is attributed: no collective leaves its host, and no NFS mount was sampled.");
    if (const std::string note = linkNote(network); !note.empty()) ports.notes.push_back(note);
    section.blocks.push_back(std::move(ports));
    if (const auto links = gpuLinkRows(network, shown); !links.empty())
        section.blocks.push_back(Table{"gpu-links", "What did the GPUs' own links carry?", links, {}, questions::gpuLinks, false});
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

Table partsTable(const findings::Breakdown& breakdown)
{
    Table table{"parts", "Parts of the " + breakdown.what + " over ranks", {{"part", "all ranks", "least", "most"}}, {}, questions::parts,
                true};
    for (const findings::PartShare& part : breakdown.parts)
        table.rows.push_back({std::string(findings::partNames[static_cast<std::size_t>(part.part)]), share(part.share), share(part.lowest),
                              share(part.highest)});
    return table;
}

std::string costText(const findings::Cost& cost)
{
    return (cost.cpuShare.known() ? share(cost.cpuShare.value()) + " of the job's processor time"
                                  : "processor time not measured (" + cost.cpuShare.reason() + ")") +
           ", " + asBytes(cost.bytesWritten) + " written, " + count(cost.lost) + " of " + count(cost.events + cost.lost) + " events lost.";
}

/// "what (why): open question; what (why)"
std::string termOf(const std::vector<findings::NotMeasured>& rows)
{
    std::string text;
    for (const findings::NotMeasured& row : rows)
        text += (text.empty() ? "" : "; ") + row.what + (row.why.empty() ? "" : " (" + row.why + ")") +
                (row.question.empty() ? "" : ": " + row.question);
    return text;
}

Section methodOf(const findings::RunSummary& summary)
{
    Section section{"method", "Method and limits", {}};
    const std::string absent = termOf(summary.notMeasured), degraded = termOf(summary.degraded);
    section.blocks.push_back(Terms{
        {{"Not measured", absent.empty() ? "Everything this program can measure was measured." : absent + "."},
         {"Degraded", degraded.empty() ? "Nothing was measured less well than it could have been." : degraded + "."},
         {"Cost of recording", costText(summary.cost)},
         {"Clocks", summary.clocks.empty() ? "All ranks ran on one host." : clockText(summary.clocks)},
         {"Parts of time",
          "Compute is the union of GPU kernels that are not communication, or of the marked compute phases. Exposed "
          "communication is communication while no compute runs; input stall is waiting for data while neither runs. "
          "The five parts always add up to the whole."},
         {"Bytes",
          "Asked is what read calls returned. Fetched is what storage had to deliver: NFS bytes over the wire, otherwise the "
          "processes' own storage reads. The difference came from the page cache. Differences are shown, never forced to zero."},
         {"Ports",
          "Gradients are what the collectives between hosts must move, by the formula of a ring; they lie on the ports that move both "
          "ways. Storage is what NFS clients counted; it lies on the ports that receive more than they send. Headers are the least "
          "that the counted packets carry. What is unexplained is shown, and below zero where more was expected than moved."},
         {"Gain",
          "What the whole (named beside the amount) would shrink by if this one thing were fixed. Gains of several findings do not "
          "add up; ± is the spread over steps and ranks."}}});
    return section;
}

}  // namespace

Paint paintOf(Part part)
{
    constexpr std::array<Paint, findings::partCount> paints{Paint::Compute, Paint::Communication, Paint::Copy, Paint::Input, Paint::Idle};
    return paints[static_cast<std::size_t>(part)];
}

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
    Section bytesOf{"bytes", "Bytes and epochs", {}};
    if (!summary.epochs.empty()) bytesOf.blocks.push_back(epochTable(summary));
    if (!summary.readsElsewhere.empty()) bytesOf.blocks.push_back(elsewhereTable(summary));
    if (!summary.mapped.paths.empty())
        bytesOf.blocks.push_back(Paragraph{"Mapped instead of read: " + count(static_cast<std::int64_t>(summary.mapped.paths.size())) +
                                           " files, " + asBytes(summary.mapped.bytes) + "."});
    if (!summary.collectives.empty()) bytesOf.blocks.push_back(collectiveTable(summary));
    if (!summary.breakdown.parts.empty()) bytesOf.blocks.push_back(partsTable(summary.breakdown));
    if (!bytesOf.blocks.empty()) document.sections.push_back(std::move(bytesOf));
    if (!summary.storage.told.empty() || !summary.storage.servers.empty()) document.sections.push_back(storageSection(summary.storage));
    if (!summary.watched.empty()) document.sections.push_back(watchedSection("watched", "What was watched", summary.watched));
    if (!summary.fabric.empty())
        document.sections.push_back(watchedSection("fabric", "What the fabric's manager said of its ports", summary.fabric));
    if (!summary.network.ports.empty() || !summary.network.gpuLinks.empty()) document.sections.push_back(networkSection(summary.network));
    document.sections.push_back(methodOf(summary));
    return document;
}

}  // namespace flowgauge::report
