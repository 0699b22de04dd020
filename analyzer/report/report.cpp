// SPDX-License-Identifier: MIT
#include "analyzer/report/report.h"

#include <algorithm>

namespace flowgauge::report {
namespace {

/// A run of which more than this is unexplained and whose compute is not known may hide any fault.
constexpr double mostlyUnexplained = 0.5;

bool mostlyUnknown(const findings::Breakdown& breakdown)
{
    if (breakdown.remarks.empty()) return false;
    return std::any_of(breakdown.parts.begin(), breakdown.parts.end(), [](const findings::PartShare& part) {
        return part.part == findings::Part::OtherIdle && part.share > mostlyUnexplained;
    });
}

findings::Sentence verdictOf(const Report& report)
{
    if (!report.healthy) return report.findings.front().verdict;
    const bool fromLog = report.summary.breakdown.parts.empty() && !report.summary.said.empty();
    if (fromLog && report.findings.empty()) return findings::Sentence("No process was recorded: what is known is what the job's log says.");
    if (!report.summary.watched.empty()) return findings::Sentence("No job was recorded: this is what the counters that were watched did.");
    if (report.summary.breakdown.parts.empty() && !fromLog)
        return findings::Sentence("Nothing to judge: no rank of this run has recorded an event.");
    if (mostlyUnknown(report.summary.breakdown))
        return findings::Sentence(
            "No fault found in what was measured, but most of the time is not explained: ", report.summary.breakdown.remarks.front(), ".");
    if (report.findings.empty())
        return findings::Sentence("Nothing to fix: no single cause costs more than ", findings::Share{findings::worthTelling}, ".");
    return findings::Sentence("Nothing to fix: the largest single cause would save ", report.findings.front().gain, ".");
}

}  // namespace

Report buildReport(findings::RunSummary summary, std::vector<findings::Finding> findings)
{
    findings::Storage& storage = summary.storage;
    if (std::none_of(findings.begin(), findings.end(), [](const findings::Finding& one) { return one.diagnosis == "storage_outage"; }))
        storage.told.insert(storage.told.end(), storage.outages.begin(), storage.outages.end());
    Report report{std::move(summary), std::move(findings), {}, false};
    report.healthy = std::none_of(report.findings.begin(), report.findings.end(), [](const findings::Finding& finding) {
        return finding.heads || finding.gain.value >= findings::worthFixing;
    });
    report.verdict = verdictOf(report);
    return report;
}

}  // namespace flowgauge::report
