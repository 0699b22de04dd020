// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/stall_cause.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// When reads are open for less of the stall than this, the loader is busy with something else.
constexpr double readingExplains = 0.5;
/// When calls that waited for storage make up less of the read time than this, the calls themselves are what costs.
constexpr double storageExplains = 0.5;
/// Requests below this size pay more for the call than for the bytes (a call costs about as much as copying 4 KiB).
constexpr std::int64_t smallRequest = std::int64_t{16} << 10;
/// A request from which on the price of a call no longer counts.
constexpr std::int64_t largeRequest = std::int64_t{128} << 10;
/// Where a run has no large reads: memory copies at least this fast, bytes per ns.
constexpr double copyBytesPerNs = 1.0;

/// Bytes per ns of the large reads that did not wait for storage; 0 when the run has none worth the name.
double bandwidthOfLargeReads(const facts::ReadSums& reads)
{
    facts::SizeClass large;
    for (std::size_t i = 0; i < facts::ReadSums::sizeClasses; ++i) {
        if ((std::int64_t{1} << i) < largeRequest) continue;
        large.calls += reads.bySize[i].calls;
        large.bytes += reads.bySize[i].bytes;
        large.time += reads.bySize[i].time;
    }
    constexpr std::int64_t enoughCalls = 10;
    return large.calls >= enoughCalls && large.time > 0 ? static_cast<double>(large.bytes) / static_cast<double>(large.time) : 0.0;
}

void estimateLargerReads(Stall& stall)
{
    if (stall.reads.time <= 0) return;
    const double measured = bandwidthOfLargeReads(stall.reads);
    stall.savedIsMeasured = measured > 0;
    const double needed = static_cast<double>(stall.reads.bytes) / (stall.savedIsMeasured ? measured : copyBytesPerNs);
    stall.savedByLargerReads = std::clamp(1.0 - needed / static_cast<double>(stall.reads.time), 0.0, 1.0);
    stall.savedError = stall.savedIsMeasured ? 0.0 : std::min(stall.savedByLargerReads, 1.0 - stall.savedByLargerReads);
}

/// Where no processor is idle, a call that is in memory takes long when its thread loses the processor in it. That happens to few
/// calls; storage that is slow holds up more. Fewer than a handful tell nothing at all.
bool losesTheProcessor(const facts::ReadSums& reads, const Measured<double>& idle)
{
    constexpr double hardlyIdle = 0.05;
    constexpr std::int64_t oneIn = 100;
    constexpr std::int64_t handful = 5;
    if (reads.waited * oneIn >= reads.calls) return false;
    return reads.waited < handful || (idle.known() && idle.value() < hardlyIdle);
}

StallCause causeOf(const Stall& stall, const Measured<double>& idle)
{
    if (stall.total <= 0) return StallCause::None;
    if (static_cast<double>(stall.behindReads) < readingExplains * static_cast<double>(stall.total)) return StallCause::Loader;
    const bool waits = static_cast<double>(stall.reads.waitedNs) >= storageExplains * static_cast<double>(stall.reads.time);
    if (waits && !losesTheProcessor(stall.reads, idle)) return StallCause::Storage;
    if (stall.reads.medianRequest() < smallRequest) return StallCause::SmallReads;
    const bool atMemorySpeed = static_cast<double>(stall.reads.bytes) >= copyBytesPerNs * static_cast<double>(stall.reads.time);
    return atMemorySpeed ? StallCause::Loader : StallCause::Storage;
}

}  // namespace

Nanos stallBehindReads(const RankView& view, Interval window) { return view.stallInReads.totalWithin(window); }

Stall stallOf(const Subject& subject)
{
    Stall stall;
    stall.total = subject.totalOf([](const RankView& view, Interval window) { return view.parts.inputStall.totalWithin(window); });
    stall.behindReads = subject.totalOf(stallBehindReads);
    for (const RankView& view : subject.ranks) stall.reads.add(view.rank->reads);
    estimateLargerReads(stall);
    stall.cause = causeOf(stall, subject.run.processorsIdle);
    return stall;
}

findings::Finding stallFinding(const Subject& subject, const Stall& stall)
{
    findings::Finding finding;
    finding.amount = stall.total;
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const auto stalled = [](const RankView& view, Interval window) { return view.parts.inputStall.totalWithin(window); };
    finding.gain = findings::possible(subject.gainOf(stalled), finding.share());
    for (const RankView& view : subject.ranks) {
        const auto longest = view.parts.inputStall.longest(1);
        if (!longest.empty() && finding.evidence.size() < 3)
            finding.evidence.push_back({view.rank->rank, longest.front(), "the step waits for data"});
    }
    return finding;
}

}  // namespace flowgauge::diagnoses
