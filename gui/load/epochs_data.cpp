// SPDX-License-Identifier: MIT
#include "gui/load/epochs_data.h"

#include "analyzer/facts/over_time.h"

#include <algorithm>
#include <set>

namespace flowgauge::load {

namespace {

bool isShown(const std::vector<int>& ranks, int rank)
{
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

/// Adds a rank's value; one that has none makes the sum unknown.
void addTo(Measured<std::int64_t>& sum, const Measured<std::int64_t>& value)
{
    if (sum.known()) sum = value.known() ? Measured<std::int64_t>(sum.value() + value.value()) : value;
}

/// What the report says of the job, said of some ranks.
void putOwn(const std::vector<const facts::EpochPart*>& parts, findings::EpochRow& row)
{
    row.asked = row.fetched = std::int64_t{0};
    row.fetchedSource = "process";
    row.evaluation = 0;
    std::uint64_t samples = 0;
    for (const facts::EpochPart* part : parts) {
        addTo(row.asked, part->asked);
        addTo(row.fetched, part->fetched);
        row.evaluation += part->evaluation.bytes;
        samples += part->samples;
    }
    if (samples > 0 && row.time > 0) row.samplesPerSecond = static_cast<double>(samples) * 1e9 / static_cast<double>(row.time);
    if (samples == 0) row.samplesPerSecond = Measured<double>::missing("no sample counts of these ranks");
    row.fromCache = Measured<double>::missing("bytes are not known");
    if (row.asked.known() && row.fetched.known() && row.asked.value() > 0)
        row.fromCache = 1.0 - std::min(1.0, static_cast<double>(row.fetched.value()) / static_cast<double>(row.asked.value()));
}

template <typename T>
T medianOf(std::vector<T> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

bool storageIsSampled(store::RunStore& store)
{
    std::set<store::Id> working;
    for (const store::ProcessRow& process : store.processes()) working.insert(process.host);
    for (const store::TrackRow& track : store.tracks())
        if (track.key.counter == Counter::DiskReadBytes && !working.contains(track.key.host)) return true;
    return false;
}

Measured<double> bytesOf(const std::vector<double>& rates, Interval when, const char* why)
{
    if (rates.empty()) return Measured<double>::missing(why);
    return rates.front() * static_cast<double>(when.length()) / 1e9;
}

EpochFlow flowOf(store::RunStore& store, Interval when, bool storageSampled)
{
    facts::RunFacts piece;  // overTime asks no more of it than its extent when it holds no ranks
    piece.extent = when;
    const facts::OverTime sums = facts::overTime(store, piece, 1);
    EpochFlow flow;
    flow.received = bytesOf(sums.received, when, "no counters of network ports");
    flow.sent = bytesOf(sums.sent, when, "no counters of network ports");
    flow.disks = bytesOf(sums.disks, when, "no counters of disks");
    flow.fromStorageCache = Measured<double>::missing("no counters of the storage's disks");
    if (!storageSampled || !flow.disks.known() || sums.fetched.empty()) return flow;
    const double fetched = bytesOf(sums.fetched, when, "").value();
    flow.fromStorageCache = fetched > 0 ? Measured<double>(1.0 - std::min(1.0, flow.disks.value() / fetched))
                                        : Measured<double>::missing("nothing was fetched");
    return flow;
}

}  // namespace

facts::TimeParts partsWithin(const Analysis& analysis, std::size_t rankAt, Interval when)
{
    const facts::PartSets& sets = analysis.parts[rankAt];
    if (analysis.facts.everyStep() == 1) return sets.within(when);
    facts::TimeParts parts;
    for (const facts::Step& step : analysis.facts.ranks[rankAt].steps)
        if (step.when.overlaps(when)) parts += sets.within({std::max(step.when.begin, when.begin), std::min(step.when.end, when.end)});
    return parts;
}

std::vector<EpochFigures> epochFigures(const Analysis& analysis, const std::vector<int>& ranks)
{
    std::vector<EpochFigures> epochs;
    const std::vector<findings::EpochRow>& rows = analysis.report.summary.epochs;
    for (std::size_t i = 0; i < std::min(rows.size(), analysis.facts.epochs.size()); ++i) {
        EpochFigures figures;
        figures.when = analysis.facts.epochs[i].when;
        figures.row = rows[i];
        std::vector<const facts::EpochPart*> shown;
        for (std::size_t rank = 0; rank < analysis.facts.ranks.size(); ++rank) {
            if (!isShown(ranks, analysis.facts.ranks[rank].rank)) continue;
            for (const facts::EpochPart& part : analysis.facts.ranks[rank].epochs) {
                if (part.number != rows[i].number) continue;
                const facts::TimeParts parts = partsWithin(analysis, rank, part.when);
                figures.parts += parts;
                figures.unwritten += part.when.length() - parts.wall;
                shown.push_back(&part);
            }
        }
        figures.ranks = static_cast<std::int64_t>(shown.size());
        if (!ranks.empty()) putOwn(shown, figures.row);
        epochs.push_back(std::move(figures));
    }
    return epochs;
}

std::optional<ColdAgainstWarm> coldAgainstWarm(const std::vector<EpochFigures>& epochs)
{
    if (epochs.size() < 2) return std::nullopt;
    ColdAgainstWarm result;
    result.first = epochs.front().row.time;
    result.firstFetched = epochs.front().row.fetched;
    std::vector<Nanos> times;
    std::vector<std::int64_t> fetched;
    for (std::size_t i = 1; i < epochs.size(); ++i) {
        times.push_back(epochs[i].row.time);
        if (epochs[i].row.fetched.known()) fetched.push_back(epochs[i].row.fetched.value());
    }
    result.later = medianOf(std::move(times));
    result.laterFetched = fetched.empty() ? epochs[1].row.fetched : Measured<std::int64_t>(medianOf(std::move(fetched)));
    return result;
}

std::vector<EpochFlow> epochFlows(store::RunStore& store, const std::vector<Interval>& epochs, const Cancel& cancel)
{
    std::vector<EpochFlow> flows;
    const bool storageSampled = storageIsSampled(store);
    for (const Interval when : epochs) {
        if (*cancel) break;
        flows.push_back(flowOf(store, when, storageSampled));
    }
    return flows;
}

}  // namespace flowgauge::load
