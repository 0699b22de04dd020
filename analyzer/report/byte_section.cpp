// SPDX-License-Identifier: MIT
#include "analyzer/report/byte_section.h"

#include "analyzer/facts/questions.h"
#include "analyzer/report/collective_rows.h"
#include "analyzer/report/found_by.h"
#include "analyzer/report/units.h"

namespace flowgauge::report {
namespace {

Table epochTable(const findings::RunSummary& summary)
{
    Table table{"epochs",
                "Epochs",
                {{"epoch", "time", "samples/s", "asked", "evaluation", "fetched", "from cache", "gap before", "found by"}},
                {},
                facts::questions::epochs,
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
    Table table{"elsewhere", "Reads that count for no epoch", {{"place", "calls", "bytes"}}, {}, facts::questions::elsewhere, true};
    for (const findings::ReadsElsewhere& reads : summary.readsElsewhere)
        table.rows.push_back({reads.place, count(reads.calls), asBytes(reads.bytes)});
    return table;
}

Table collectiveTable(const findings::RunSummary& summary)
{
    constexpr std::size_t shown = 24;
    Table table{
        "collectives", "Collectives: waiting, or moving?", collectiveRows(summary.collectives, shown), {}, facts::questions::collectives,
        false};
    table.notes.push_back(
        "A call waits until its last rank has come, and transfers from then on; bandwidths are of the median transfer, as "
        "nccl-tests counts them.");
    if (const std::string note = bandwidthNote(summary.collectives); !note.empty()) table.notes.push_back(note);
    return table;
}

Table partsTable(const findings::Breakdown& breakdown)
{
    Table table{
        "parts", "Parts of the " + breakdown.what + " over ranks", {{"part", "all ranks", "least", "most"}}, {}, facts::questions::parts,
        true};
    for (const findings::PartShare& part : breakdown.parts)
        table.rows.push_back({std::string(findings::partNames[static_cast<std::size_t>(part.part)]), share(part.share), share(part.lowest),
                              share(part.highest)});
    return table;
}

}  // namespace

Section byteSection(const findings::RunSummary& summary)
{
    Section section{"bytes", "Bytes and epochs", {}};
    if (!summary.epochs.empty()) section.blocks.push_back(epochTable(summary));
    if (!summary.readsElsewhere.empty()) section.blocks.push_back(elsewhereTable(summary));
    if (!summary.mapped.paths.empty())
        section.blocks.push_back(Paragraph{"Mapped instead of read: " + count(static_cast<std::int64_t>(summary.mapped.paths.size())) +
                                           " files, " + asBytes(summary.mapped.bytes) + "."});
    if (!summary.collectives.empty()) section.blocks.push_back(collectiveTable(summary));
    if (!summary.breakdown.parts.empty()) section.blocks.push_back(partsTable(summary.breakdown));
    return section;
}

}  // namespace flowgauge::report
