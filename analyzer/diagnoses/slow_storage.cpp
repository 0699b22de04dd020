// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/slow_storage.h"

#include "analyzer/diagnoses/stall_cause.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using findings::Bytes;
using findings::Count;
using findings::Duration;
using findings::Share;

double perSecond(std::int64_t amount, Nanos time) { return time > 0 ? static_cast<double>(amount) * 1e9 / static_cast<double>(time) : 0.0; }

void describe(const Subject& subject, const Stall& stall, findings::Finding& finding)
{
    const facts::ReadSums& reads = stall.reads;
    finding.verdict = findings::Sentence("Storage is too slow: the step waits for data ", Share{finding.share()},
                                         subject.bySteps ? " of the time" : " of the run",
                                         " while reads wait; faster storage or a warm cache would save up to ", finding.gain, ".");
    finding.details.emplace_back("Reads bring ", findings::BytesPerSecond{perSecond(reads.bytes, reads.time)}, " per reader; ",
                                 Count{reads.waited}, " of ", Count{reads.calls}, " calls wait ",
                                 Duration{reads.waited > 0 ? reads.waitedNs / reads.waited : 0}, " on average (longest ",
                                 Duration{reads.longest}, ").");
    finding.details.emplace_back(Share{static_cast<double>(stall.behindReads) / static_cast<double>(stall.total)},
                                 " of the stall passes inside read calls.");
    std::int64_t again = 0;
    for (std::size_t i = 1; i < subject.run.epochs.size(); ++i) {
        const facts::Epoch& epoch = subject.run.epochs[i];
        again += epoch.asked.known() && epoch.fetched.known() && 2 * epoch.fetched.value() > epoch.asked.value();
    }
    if (again > 0)
        finding.details.emplace_back(Count{again}, " later epochs fetch most of their bytes again: the page cache does not hold the data.");
}

}  // namespace

std::optional<findings::Finding> slowStorage(const Subject& subject)
{
    const Stall stall = stallOf(subject);
    if (stall.cause != StallCause::Storage) return std::nullopt;
    findings::Finding finding = stallFinding(subject, stall);
    finding.title = "Slow storage";
    describe(subject, stall, finding);
    finding.advice =
        "Keep the data on a faster or nearer disk, read further ahead (more workers, deeper prefetch), or stage it before the run.";
    finding.toBeSure = "The server's own counters would tell its disks from the network between.";
    return finding;
}

}  // namespace flowgauge::diagnoses
