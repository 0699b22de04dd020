// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/summary.h"

#include "analyzer/diagnoses/clock_rows.h"
#include "analyzer/diagnoses/gpudirect_log.h"
#include "analyzer/diagnoses/log_sentences.h"
#include "analyzer/diagnoses/network_rows.h"
#include "analyzer/diagnoses/storage_rows.h"
#include "analyzer/facts/collective_figures.h"
#include "analyzer/facts/gpu_links.h"

#include <algorithm>
#include <map>
#include <set>

namespace flowgauge::diagnoses {
namespace {

using facts::TimeParts;
using findings::Part;

Nanos partOf(const TimeParts& parts, Part part)
{
    switch (part) {
        case Part::Compute:
            return parts.compute;
        case Part::ExposedCommunication:
            return parts.exposedCommunication;
        case Part::ExposedCopy:
            return parts.exposedCopy;
        case Part::InputStall:
            return parts.inputStall;
        case Part::OtherIdle:
            return parts.otherIdle;
    }
    return 0;
}

double shareOf(Nanos amount, Nanos whole) { return whole > 0 ? static_cast<double>(amount) / static_cast<double>(whole) : 0.0; }

void addRemarks(const Subject& subject, findings::Breakdown& breakdown)
{
    std::set<std::string> remarks;
    for (const RankView& view : subject.ranks) {
        const facts::RankFacts& rank = *view.rank;
        if (!rank.computeKnown.known())
            remarks.insert("compute is not measured (" + rank.computeKnown.reason() + "): it is part of other idle");
        if (rank.gpu.used && !facts::overlapOf(rank.communication, rank.compute).known())
            remarks.insert("overlap of communication and compute n/a (no communication)");
        if (!rank.gpu.launchesKnown.known() && rank.gpu.used)
            remarks.insert("why GPUs were idle is not measured (" + rank.gpu.launchesKnown.reason() + ")");
        if (!rank.communicationKnown.known()) remarks.insert("communication is not measured (" + rank.communicationKnown.reason() + ")");
    }
    breakdown.remarks.assign(remarks.begin(), remarks.end());
}

Measured<double> cacheShareOf(const facts::Epoch& epoch)
{
    if (!epoch.asked.known()) return Measured<double>::missing(epoch.asked.reason());
    if (!epoch.fetched.known()) return Measured<double>::missing(epoch.fetched.reason());
    if (epoch.asked.value() <= 0) return Measured<double>::missing("nothing was asked for");
    return 1.0 - std::min(1.0, shareOf(epoch.fetched.value(), epoch.asked.value()));  // read-ahead fetches more than is asked for
}

/// Each fault brings at least one page, and at most the 64 KiB that the kernel maps around it (fault_around_bytes). Faults on
/// other memory are among them: the least is only as good as that.
Measured<findings::ByteRange> touchedIn(const facts::Epoch& epoch)
{
    constexpr std::int64_t pageBytes = 4096;
    constexpr std::int64_t pagesAround = 16;
    if (epoch.asked.known()) return Measured<findings::ByteRange>::missing("what was asked is known");
    if (!epoch.faults.known()) return Measured<findings::ByteRange>::missing(epoch.faults.reason());
    return findings::ByteRange{epoch.faults.value() * pageBytes, epoch.faults.value() * pageBytes * pagesAround};
}

findings::EpochRow rowOf(const facts::Epoch& epoch)
{
    findings::EpochRow row;
    row.number = epoch.number;
    row.time = epoch.when.length();
    row.samplesPerSecond = epoch.samples > 0 && row.time > 0
                               ? Measured<double>(static_cast<double>(epoch.samples) * 1e9 / static_cast<double>(row.time))
                               : Measured<double>::missing("no sample counts");
    row.asked = epoch.asked;
    row.fetched = epoch.fetched;
    row.touched = touchedIn(epoch);
    row.evaluation = epoch.evaluation;
    row.fetchedSource = epoch.fetchedSource;
    row.fromCache = cacheShareOf(epoch);
    row.shuffleGap = epoch.gapBefore;
    row.confidence = epoch.confidence;
    row.foundBy = std::string(facts::nameOf(epoch.source)) + (epoch.complete ? "" : ", no end");
    return row;
}

std::string mannerOf(const facts::CommManner& manner)
{
    if (!manner.algorithm) return "";
    return std::string(facts::nameOf(*manner.algorithm)) + (manner.protocol ? "/" + std::string(facts::nameOf(*manner.protocol)) : "");
}

std::vector<findings::CollectiveRow> collectivesOf(const Subject& subject)
{
    std::vector<findings::CollectiveRow> rows;
    for (facts::CollectiveFigures& figures : facts::collectiveFigures(subject.meetings, subject.run.extent)) {
        Measured<double> linkUse = facts::linkUseOf(figures, subject.run.network);
        rows.push_back(
            {std::string(flowgauge::rowOf(figures.kind).sqlName), static_cast<std::int64_t>(figures.bytes), figures.ranks, figures.calls,
             figures.waited, figures.moved, figures.wait, figures.transfer, std::move(figures.algbw), std::move(figures.busbw),
             mannerOf(figures.manner), figures.manner.channels,
             figures.wire.known() ? Measured<double>(figures.wire.value().sentPerRank) : Measured<double>::missing(figures.wire.reason()),
             std::move(linkUse)});
    }
    return rows;
}

void addReadsElsewhere(const facts::RunFacts& run, findings::RunSummary& summary)
{
    std::map<std::string, facts::ReadCount> sums;
    std::map<std::string, std::int64_t> mapped;  // two ranks that map a file map the same one
    for (const facts::RankFacts& rank : run.ranks) {
        for (const auto& [place, reads] : rank.readsElsewhere) sums[place] += reads;
        for (const auto& [file, bytes] : rank.mappedFiles) mapped[file] = std::max(mapped[file], bytes);
    }
    for (const auto& [place, reads] : sums) summary.readsElsewhere.push_back({place, reads.calls, reads.bytes});
    for (const auto& [file, bytes] : mapped) {
        summary.mapped.paths.push_back(file);
        summary.mapped.bytes += bytes;
    }
}

/// "rank 3 of 4 is", "ranks 0, 2 of 4 are"; at most eight by number.
std::string subjectOf(const std::vector<std::int64_t>& ranks, std::int64_t worldSize)
{
    std::string list;
    for (std::size_t i = 0; i < ranks.size() && i < 8; ++i) list += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    const bool one = ranks.size() == 1;
    return (one ? "rank " : "ranks ") + list + (ranks.size() > 8 ? ", ..." : "") + " of " + std::to_string(worldSize) +
           (one ? " is" : " are");
}

void addMissingRanks(const facts::RunFacts& run, findings::RunSummary& summary)
{
    std::vector<std::int64_t> missing;
    for (std::int64_t rank = 0; rank < run.worldSize; ++rank)
        if (std::none_of(run.ranks.begin(), run.ranks.end(), [rank](const facts::RankFacts& facts) { return facts.rank == rank; }))
            missing.push_back(rank);
    summary.lacksRanks = !missing.empty();
    if (summary.lacksRanks) summary.remarks.push_back(subjectOf(missing, run.worldSize) + " not in this recording");
}

void addCrashedRanks(const facts::RunFacts& run, findings::RunSummary& summary)
{
    std::vector<std::int64_t> crashed;
    for (const facts::RankFacts& rank : run.ranks)
        if (rank.named && !rank.endedNormally) crashed.push_back(rank.rank);
    const auto size = std::max(run.worldSize, static_cast<std::int64_t>(run.ranks.size()));
    if (!crashed.empty()) summary.remarks.push_back(subjectOf(crashed, size) + " recorded up to a crash or kill only");
}

/// Those that no rank number names; at most three by name.
void addCrashedProcesses(const facts::RunFacts& run, findings::RunSummary& summary)
{
    constexpr std::size_t named = 3;
    const std::size_t more = run.crashedUnranked.size() - std::min(named, run.crashedUnranked.size());
    for (std::size_t i = 0; i + more < run.crashedUnranked.size(); ++i)
        summary.remarks.push_back(run.crashedUnranked[i] + " crashed before it said which rank it is");
    if (more > 0) summary.remarks.push_back("so did " + std::to_string(more) + " more processes");
}

/// What the ledger says is absent, or is degraded; one a thing and reason, in the order in which they were written.
std::vector<findings::NotMeasured> inState(const facts::RunFacts& run, std::string_view state)
{
    std::vector<findings::NotMeasured> rows;
    for (const facts::LedgerRow& row : run.ledger) {
        if (row.state != state) continue;
        findings::NotMeasured found{row.what, row.reason};
        for (const facts::LedgerRow& other : run.ledger)
            if (other.state == "unanswered" && other.what == row.what) found.question = other.reason;
        if (std::find(rows.begin(), rows.end(), found) == rows.end()) rows.push_back(std::move(found));
    }
    return rows;
}

/// Counters of queue pairs are those of RDMA ports: without any, one line says it.
std::vector<findings::NotMeasured> absentClasses(const facts::RunFacts& run)
{
    std::vector<findings::NotMeasured> rows = inState(run, "absent");
    const auto isOf = [](std::string_view what) { return [what](const findings::NotMeasured& row) { return row.what == what; }; };
    if (std::any_of(rows.begin(), rows.end(), isOf("infiniband"))) std::erase_if(rows, isOf("queue pairs"));
    return rows;
}

std::string simulationOf(const facts::RunFacts& run)
{
    for (const facts::LedgerRow& row : run.ledger)
        if (row.state == "simulated") return row.reason;
    return "";
}

findings::Cost costOf(const facts::OwnCost& cost)
{
    findings::Cost result;
    result.cpuShare = cost.jobCpuNs.known() && cost.jobCpuNs.value() > 0
                          ? Measured<double>(shareOf(cost.cpuNs, cost.jobCpuNs.value()))
                          : Measured<double>::missing(cost.jobCpuNs.known() ? "no processor time" : cost.jobCpuNs.reason());
    result.bytesWritten = cost.bytes;
    result.events = cost.events;
    result.lost = cost.lost;
    return result;
}

}  // namespace

findings::Breakdown breakdownOf(const Subject& subject)
{
    TimeParts all;
    std::vector<TimeParts> perRank;
    for (const RankView& view : subject.ranks) {
        TimeParts sum;
        for (const Interval window : view.windows) sum += view.parts.within(window);
        all += sum;
        if (sum.wall > 0) perRank.push_back(sum);
    }
    findings::Breakdown breakdown;
    breakdown.what = subject.bySteps ? "step" : "run";
    breakdown.length = subject.medianWindow();
    for (std::size_t i = 0; i < findings::partCount && all.wall > 0; ++i) {
        const Part part = static_cast<Part>(i);
        findings::PartShare share{part, shareOf(partOf(all, part), all.wall), 1.0, 0.0};
        for (const TimeParts& rank : perRank) {
            share.lowest = std::min(share.lowest, shareOf(partOf(rank, part), rank.wall));
            share.highest = std::max(share.highest, shareOf(partOf(rank, part), rank.wall));
        }
        breakdown.parts.push_back(share);
    }
    addRemarks(subject, breakdown);
    return breakdown;
}

findings::RunSummary summaryOf(const Subject& subject)
{
    const facts::RunFacts& run = subject.run;
    findings::RunSummary summary;
    summary.name = run.name;
    summary.program = run.program;
    summary.recordedUnixNs = run.zeroUnixNs + run.extent.begin;
    // What merely counts as a rank, since no program named one, is told as the processes it is.
    const auto isNamed = [](const facts::RankFacts& rank) { return rank.named; };
    summary.ranks = std::count_if(run.ranks.begin(), run.ranks.end(), isNamed);
    summary.hosts = run.hosts;
    summary.processes = run.processes;
    summary.wall = run.extent.length();
    summary.breakdown = breakdownOf(subject);
    for (const facts::Epoch& epoch : run.epochs) summary.epochs.push_back(rowOf(epoch));
    summary.collectives = collectivesOf(subject);
    summary.network = networkOf(run);
    summary.clocks = clocksOf(run);
    summary.storage = storageOf(run);
    summary.watched = watchedRowsOf(run.watched);
    summary.fabric = watchedRowsOf(run.fabric);
    summary.said = sentencesOf(run.log);
    for (findings::Sentence& sentence : gpuDirectSentences(run.gpuDirect)) summary.said.push_back(std::move(sentence));
    if (run.ranks.empty() && !run.log.empty()) summary.program = run.log.formats.front() + " log";
    addReadsElsewhere(run, summary);
    summary.notMeasured = absentClasses(run);
    summary.degraded = inState(run, "degraded");
    addMissingRanks(run, summary);
    addCrashedRanks(run, summary);
    addCrashedProcesses(run, summary);
    summary.simulated = simulationOf(run);
    summary.cost = costOf(run.cost);
    return summary;
}

}  // namespace flowgauge::diagnoses
