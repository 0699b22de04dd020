// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/small_reads.h"

#include "analyzer/diagnoses/stall_cause.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using findings::Bytes;
using findings::Count;
using findings::Duration;

double meanCallNs(const facts::ReadSums& reads)
{
    return static_cast<double>(reads.time) / static_cast<double>(std::max<std::int64_t>(reads.calls, 1));
}

}  // namespace

std::optional<findings::Finding> smallReads(const Subject& subject)
{
    const Stall stall = stallOf(subject);
    if (stall.cause != StallCause::SmallReads) return std::nullopt;
    const facts::ReadSums& reads = stall.reads;
    findings::Finding finding = stallFinding(subject, stall);
    finding.title = "Small reads";
    const findings::Estimate behind = subject.gainOf(stallBehindReads);
    finding.gain = findings::possible({behind.value * stall.savedByLargerReads, std::max(behind.error, behind.value * stall.savedError)},
                                      finding.share());
    finding.verdict = findings::Sentence("Reads are too small (", Bytes{static_cast<double>(reads.medianRequest())},
                                         " or a little more each): the step waits ", findings::Share{finding.share()}, " of the time for ",
                                         Count{reads.calls}, " calls; larger reads would save about ", finding.gain, ".");
    const Nanos wall = std::max<Nanos>(subject.run.extent.length(), 1);
    finding.details.emplace_back(findings::PerSecond{static_cast<double>(reads.calls) * 1e9 / static_cast<double>(wall)},
                                 " calls a second, ", Duration{static_cast<Nanos>(meanCallNs(reads))}, " each, bring ",
                                 Bytes{static_cast<double>(reads.bytes)}, " in ", Duration{reads.time}, " of calls.");
    finding.advice =
        "Read records in blocks of 1 MiB or more (buffered reader, larger buffer, whole records instead of fields), or map the file.";
    if (!stall.savedIsMeasured) finding.toBeSure = "This run has no large reads to compare with; 1 GB/s is assumed for them.";
    return finding;
}

}  // namespace flowgauge::diagnoses
