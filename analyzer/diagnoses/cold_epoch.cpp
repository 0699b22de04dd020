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

/// How long a rank waits for data in that epoch, mean over ranks.
Nanos stallIn(const Subject& subject, const Epoch& epoch)
{
    Nanos sum = 0;
    for (const RankView& view : subject.ranks)
        for (const facts::EpochPart& part : view.rank->epochs)
            if (part.number == epoch.number) sum += view.parts.inputStall.totalWithin(part.when);
    return sum / static_cast<Nanos>(std::max<std::size_t>(subject.ranks.size(), 1));
}

/// How much longer a cold epoch took for its cache: where the wait for data is marked, no more than that grew. A first epoch is also
/// slow for other reasons.
Nanos longerBy(const Subject& subject, const Epoch& cold, const Epoch& warm)
{
    const Nanos longer = std::max<Nanos>(0, cold.when.length() - warm.when.length());
    const bool marked =
        std::any_of(subject.ranks.begin(), subject.ranks.end(), [](const RankView& view) { return view.rank->inputMarked; });
    if (!marked) return longer;
    return std::min(longer, std::max<Nanos>(0, stallIn(subject, cold) - stallIn(subject, warm)));
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
    std::vector<const Epoch*> warm = found.warm;
    std::sort(warm.begin(), warm.end(), [](const Epoch* left, const Epoch* right) { return left->when.length() < right->when.length(); });
    const Epoch& middle = *warm[warm.size() / 2];
    const Nanos usual = middle.when.length();
    Nanos longer = 0;
    for (const Epoch* epoch : found.cold) longer += longerBy(subject, *epoch, middle);
    const Nanos run = subject.run.extent.length();
    if (longer <= 0 || run <= 0) return std::nullopt;
    findings::Finding finding;
    finding.title = "Cold epoch";
    finding.amount = longer;
    finding.outOf = run;
    finding.outOfWhat = "the run";
    finding.ranks = subject.run.rankNumbers();
    finding.where = numbersOf(found.cold);
    const double spread =
        static_cast<double>((warm.back()->when.length() - warm.front()->when.length()) * static_cast<Nanos>(found.cold.size())) / 2;
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
