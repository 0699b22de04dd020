// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/unusual_epoch.h"

#include "analyzer/facts/median.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// An epoch is unusual when it takes this much longer than the middle one ...
constexpr double unusuallyLonger = 1.25;
/// ... and stands out from the usual differences between epochs by this much (median absolute deviation; 5 of them: one in a million).
constexpr Nanos deviations = 7;
constexpr std::size_t enoughEpochs = 4;

}  // namespace

std::optional<findings::Finding> unusualEpoch(const Subject& subject)
{
    std::vector<const facts::Epoch*> epochs;
    for (const facts::Epoch& epoch : subject.run.epochs)
        if (epoch.complete && epoch.number != subject.run.epochs.front().number) epochs.push_back(&epoch);
    const Nanos run = subject.run.extent.length();
    if (epochs.size() < enoughEpochs || run <= 0) return std::nullopt;
    std::vector<Nanos> lengths;
    lengths.reserve(epochs.size());
    for (const facts::Epoch* epoch : epochs) lengths.push_back(epoch->when.length());
    const Nanos usual = facts::medianOf(lengths);
    for (Nanos& length : lengths) length = std::max(length, usual) - std::min(length, usual);
    const Nanos spread = facts::medianOf(lengths);
    findings::Finding finding;
    std::string which;
    for (const facts::Epoch* epoch : epochs) {
        const Nanos extra = epoch->when.length() - usual;
        if (static_cast<double>(epoch->when.length()) < unusuallyLonger * static_cast<double>(usual) || extra < deviations * spread) continue;
        finding.amount += extra;
        which += (which.empty() ? "" : ", ") + std::to_string(epoch->number);
        finding.details.emplace_back("Epoch ", std::to_string(epoch->number), " took ", findings::Duration{epoch->when.length()},
                                     ", the others ", findings::Duration{usual}, ".");
        if (!subject.ranks.empty())
            finding.evidence.push_back({subject.ranks.front().rank->rank, epoch->when, "an epoch of unusual length"});
    }
    if (finding.amount <= 0) return std::nullopt;
    finding.title = "Unusual epoch";
    finding.outOf = run;
    finding.outOfWhat = "the run";
    finding.ranks = subject.run.rankNumbers();
    finding.where = (which.find(',') == std::string::npos ? "epoch " : "epochs ") + which;
    finding.gain = findings::possible({finding.share(), static_cast<double>(spread) / static_cast<double>(run)}, finding.share());
    finding.verdict = findings::Sentence("One epoch stands out from the others and takes ", findings::Duration{finding.amount},
                                         " more than they do; without that the run would be ", finding.gain, " shorter.");
    finding.advice =
        "Look at what happened on the machines and the storage at that time: another job, a failing disk, a full cache, a paused node.";
    finding.toBeSure = "The parts of that epoch's steps (epoch_rank) show which of them grew.";
    return finding;
}

}  // namespace flowgauge::diagnoses
