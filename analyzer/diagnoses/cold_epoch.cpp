// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/cold_epoch.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using facts::Epoch;

/// An epoch that fetched at least this share of what it asked for met a cold cache; below the second, a warm one.
constexpr double coldFrom = 0.5;
constexpr double warmBelow = 0.1;

struct Temperatures {
    std::vector<const Epoch*> cold, warm;
};

Temperatures temperaturesOf(const std::vector<Epoch>& epochs)
{
    Temperatures result;
    for (const Epoch& epoch : epochs) {
        if (!epoch.complete || !epoch.asked.known() || !epoch.fetched.known() || epoch.asked.value() <= 0) continue;
        const double share = static_cast<double>(epoch.fetched.value()) / static_cast<double>(epoch.asked.value());
        if (share >= coldFrom) result.cold.push_back(&epoch);
        if (share < warmBelow) result.warm.push_back(&epoch);
    }
    return result;
}

std::string numbersOf(const std::vector<const Epoch*>& epochs)
{
    std::string text = epochs.size() == 1 ? "epoch " : "epochs ";
    for (const Epoch* epoch : epochs) text += (epoch == epochs.front() ? "" : ", ") + std::to_string(epoch->number);
    return text;
}

}  // namespace

std::optional<findings::Finding> coldEpoch(const Subject& subject)
{
    const Temperatures found = temperaturesOf(subject.run.epochs);
    if (found.cold.empty() || found.warm.empty()) return std::nullopt;
    std::vector<Nanos> warm;
    for (const Epoch* epoch : found.warm) warm.push_back(epoch->when.length());
    std::sort(warm.begin(), warm.end());
    const Nanos usual = warm[warm.size() / 2];
    Nanos longer = 0;
    for (const Epoch* epoch : found.cold) longer += std::max<Nanos>(0, epoch->when.length() - usual);
    const Nanos run = subject.run.extent.length();
    if (longer <= 0 || run <= 0) return std::nullopt;
    findings::Finding finding;
    finding.title = "Cold epoch";
    finding.amount = longer;
    finding.outOf = run;
    finding.outOfWhat = "the run";
    finding.ranks = subject.run.rankNumbers();
    finding.where = numbersOf(found.cold);
    const double spread = static_cast<double>((warm.back() - warm.front()) * static_cast<Nanos>(found.cold.size())) / 2;
    finding.gain = {finding.share(), spread / static_cast<double>(run)};
    finding.verdict = findings::Sentence("A cold page cache makes ", finding.where, " ", findings::Duration{longer},
                                         " longer; warming it before would save ", finding.gain, " of the run.");
    const Epoch& first = *found.cold.front();
    finding.details.emplace_back(
        "Epoch ", std::to_string(first.number), " asks for ", findings::Bytes{static_cast<double>(first.asked.value())}, " and fetches ",
        findings::Bytes{static_cast<double>(first.fetched.value())}, "; a warm epoch takes ", findings::Duration{usual}, ".");
    finding.evidence.push_back({finding.ranks.empty() ? 0 : finding.ranks.front(), first.when, "cold epoch"});
    finding.advice = "Read the data once before the job (cat it to /dev/null on each node), or stage it to a local disk.";
    if (first.number == subject.run.epochs.front().number)
        finding.toBeSure = "A first epoch also holds one-time work of the program; a second run with a warm cache tells them apart.";
    return finding;
}

}  // namespace flowgauge::diagnoses
